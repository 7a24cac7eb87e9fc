"""Reads pages and makes true and false citations of them, for citations.py. It knows nothing of how the program checks them."""

import re

NUMBER = re.compile(r"(?<![\w.,/-])\d[\d.,]*\d(?![\w/])|(?<![\w.,/-])\d(?![\w.,/])")
SIGNS = {"$": ("USD", "dollars"), "€": ("EUR", "euros"), "£": ("GBP", "pounds")}
POWERS = {"thousand": 3, "million": 6, "billion": 9}
MONTH = re.compile(r"\b(jan|feb|mar|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])[a-zäéû]*\.?$", re.I)
NAMES = re.compile(
    r"(?:\b(?:pages?|pp?|notes?|sections?|items?|tables?|figures?|figs?|chapters?|parts?|rules?|articles?|art|no|nr|appendix|annex|exhibits?"
    r"|level|version|step|act|form|paragraphs?|lines?|vol|isbn|doi|rfc|iso|din|seiten?|kapitel|abschnitt|tabelle|abbildung|equation|eq"
    r"|theorem|lemma|type|class|title|phase|topic|release|s|nos|and|or|to|through)\.?|[§#&])\s*\(?$", re.I)
FALLS = re.compile(r"loss|lost|decreas|declin|\bf[ae]ll|lower|reduc|negativ|minus|defici|down|less|drop|verlust|rückg|sank|perte|baisse|dimin", re.I)


class Number:
    """A number of a statement as it is written, with what belongs to it."""

    def __init__(self, text, start, end, comma):
        self.digits, self.start, self.end = text[start:end], start, end
        self.value = value_of(self.digits, comma)
        point = "," if comma else "."
        self.decimals = len(self.digits.rsplit(point, 1)[1]) if point in self.digits else 0
        before, after = text[:start], text[end:]
        self.sign = before.rstrip()[-1:] if before.rstrip()[-1:] in SIGNS else ""
        self.percent = bool(re.match(r"\s?(%|percent\b)", after))
        scale = re.match(r"\s(thousand|million|billion)\b", after)
        self.scale = scale.group(1) if scale else ""

    @property
    def phrase(self):
        scale = " " + self.scale if self.scale else ""
        return f"{self.sign}{self.digits}{scale}{'%' if self.percent else ''}"


class Statement:
    def __init__(self, page, text, numbers, row):
        self.page, self.text, self.numbers, self.row = page, text, numbers, row


class Page:
    def __init__(self, document, number, text):
        self.document, self.number, self.text = document, number, text
        self.bag = re.sub(r"\W+", "", text.lower())
        self.values = sorted(all_values(text))
        self.statements = []

    def holds(self, value, step):
        """Whether something here may be this value, rounded or under another scale."""
        for power in (-12, -9, -6, -3, -2, 0, 2, 3, 6, 9, 12):
            low, high = (value - step * 0.51) * 10.0**power, (value + step * 0.51) * 10.0**power
            if any(low <= v <= high for v in self.values):
                return True
        return False


def value_of(digits, comma):
    group, point = (".", ",") if comma else (",", ".")
    whole, _, part = digits.partition(point)
    if part and not part.isdigit():
        return None
    groups = whole.split(group)
    if len(groups) > 1 and (not 1 <= len(groups[0]) <= 3 or any(len(g) != 3 for g in groups[1:])):
        return None
    if not all(g.isdigit() for g in groups) or (len(whole) > 1 and whole[0] == "0"):
        return None
    return float("".join(groups) + "." + (part or "0"))


def all_values(text):
    found = set()
    for run in re.findall(r"\d[\d.,' \u00a0\u202f]*", text):
        parts = run.split()
        for length in range(1, min(4, len(parts)) + 1):
            for at in range(len(parts) - length + 1):
                joined = "".join(parts[at:at + length]).strip(".,'")
                for piece in [joined] + (re.split(r"[.,']", joined) if length == 1 else []):
                    for comma in (False, True):
                        value = value_of(piece.replace("'", ""), comma) if piece else None
                        if value is not None:
                            found.add(value)
                    plain = re.sub(r"\D", "", piece)
                    if plain:
                        found.add(float(plain))
    return found


def writes_comma(texts):
    point = comma = 0
    for text in texts:
        for whole, mark, part in re.findall(r"(?<![\d.,])(\d{1,3})([.,])(\d{1,3})(?![\d.,]*\d)", text):
            if (mark == ",") == (len(part) == 3):
                point += 1
            else:
                comma += 1
    if point + comma < 3 or max(point, comma) < 4 * min(point, comma):
        return None
    return comma > point


def numbers_of(text, comma):
    out = []
    for match in NUMBER.finditer(text):
        start, end = match.span()
        n = Number(text, start, end, comma)
        before, after = text[:start], text[end:]
        year = re.fullmatch(r"(19|20)\d\d", n.digits)
        if n.value is None or n.value == 0 or year or len(re.sub(r"\D", "", n.digits)) < 2:
            continue
        if NAMES.search(before) or MONTH.search(before.rstrip()) or re.match(r"\.?\s(?:de\s)?(jan|feb|mar|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])", after, re.I):
            continue
        if re.search(r"[-–—−+±×<>=/:]\s?$", before) or re.match(r"\s?[-–—/:°¢×^]|\s?(m|bn|k|bps|basis|per cent|prozent|mio|mrd|pour|x|to|or|and|th|st|nd|rd|pages|%\s?[-–])\b|\s*\)?\s%(?=\s|$)", after, re.I) and not n.percent:
            continue
        bare = before.rstrip()
        if n.sign and (len(before) - len(bare) > 1 or bare[-2:-1].isalpha()):
            continue
        n.parens = bool(re.search(r"\([$€£]?\s?$", before)) and after.startswith(")")
        if not n.parens and (re.search(r"\([$€£]?\s?$", before) or after.startswith(")")):
            continue
        out.append(n)
    # "5 to 7 million": the first means millions as well.
    return [n for n in out if n.scale or n.percent or not any(o.scale or o.percent for o in out if n.end < o.start < n.end + 20)]


def statements_of(page, comma):
    out = []
    lines = page.text.splitlines()
    for line in lines:
        cells = [c for c in re.split(r"\s{2,}", line.strip()) if c]
        if len(cells) >= 3 and re.fullmatch(r"[^\d<>\[\]]*[A-Za-zÀ-ÿ]{4,}[^\d<>\[\]]*", cells[0]) and all(not re.search(r"[A-Za-z]", c) for c in cells[1:]):
            text = " ".join(line.split())
            numbers = numbers_of(text, comma)
            if numbers:
                out.append(Statement(page, text, numbers, True))
    for block in re.split(r"\n\s*\n|\n(?=[•◦▪*-]\s)", page.text):
        if re.search(r"\S {2,}\S", block):
            continue
        flat = " ".join(block.split())
        for sentence in re.findall(r"(?:^|(?<=\. ))[A-ZÄÖÜ][^.]*(?:\.(?!\s+[A-Z0-9(]|$)[^.]*)*(?=\.(?:\s|$))", flat):
            if 40 < len(sentence) < 300 and not re.search(r"[<>\[\]{}|?!_`*\"“”=~…]|\.\.", sentence) and sentence.count("(") == sentence.count(")"):
                numbers = [n for n in numbers_of(sentence, comma) if not n.parens]
                if numbers and len(re.findall(r"[^\W\d_]{3,}", sentence)) >= 6:
                    out.append(Statement(page, sentence, numbers, False))
    return out


# ---- writing claims -------------------------------------------------------------------------------------------------

def grouped(value, decimals, group=",", point="."):
    text = f"{value:,.{decimals}f}"
    return text.replace(",", "\0").replace(".", point).replace("\0", group)


def rewordings(n):
    """Other ways to write a number that mean the same: (kind, language, words)."""
    minus = "-" if n.parens else ""
    plain = grouped(n.value, n.decimals)
    scale = f" {n.scale}" if n.scale else ""
    tail = "%" if n.percent else ""
    yield "as written", "en", f"({n.phrase})" if n.parens else n.phrase
    if n.percent:
        yield "percent in words", "en", f"{minus}{plain} percent"
        yield "Prozent", "de", f"{minus}{grouped(n.value, n.decimals, '.', ',')} Prozent"
        yield "French percent", "fr", f"{minus}{grouped(n.value, n.decimals, ' ', ',')} %"
    if n.sign:
        code, word = SIGNS[n.sign]
        yield "currency code", "en", f"{minus}{code} {plain}{scale}"
        yield "currency word", "en", f"{minus}{plain}{scale} {word}"
    if n.scale == "million":
        yield "Mio.", "de", f"{minus}{grouped(n.value, n.decimals, '.', ',')} Mio. {n.sign}".strip()
        yield "millions", "fr", f"{minus}{grouped(n.value, n.decimals, ' ', ',')} millions"
    if n.scale in ("million", "thousand") and n.value >= 1000:
        bigger = {"million": "billion", "thousand": "million"}[n.scale]
        yield "scale converted", "en", f"{minus}{n.sign}{grouped(n.value / 1000, 3 + n.decimals)} {bigger}"
        yield "scale rounded", "en", f"{minus}{n.sign}{grouped(n.value / 1000, 2)} {bigger}"
    if n.scale == "billion" and n.decimals <= 3:
        yield "scale converted", "en", f"{minus}{n.sign}{grouped(n.value * 1000, 0)} million"
    if n.value >= 1000 and not n.percent:
        yield "no separators", "en", f"{minus}{n.sign}{n.value:.{n.decimals}f}{scale}"
        if not n.scale:
            yield "German separators", "de", f"{minus}{grouped(n.value, n.decimals, '.', ',')}"
            yield "French separators", "fr", f"{minus}{grouped(n.value, n.decimals, chr(0x202f), ',')}"
        digits = len(str(int(n.value)))
        yield "rounded", "en", f"roughly {minus}{n.sign}{grouped(round(n.value, 3 - digits), max(0, 3 - digits))}{scale}{tail}"
    if n.parens:
        yield "loss in words", "en", f"a loss of {n.phrase}"
        yield "real minus", "en", f"\u2212{n.phrase}"


FRAMES = {
    "en": ["The pages give {p} as regards {t}", "{p}: that is what stands there on {t}", "On {t}, one reads {p}", "With {t} at {p}, the matter is clear",
           "It came to {p} ({t})", "{t} were put at {p} by the authors"],
    "de": ["Zu {t} nennt das Dokument {p}", "Bei {t} steht der Wert {p}"],
    "fr": ["Au sujet de {t}, le texte donne {p}", "Le chiffre pour {t} est de {p}"],
}


def topic(statement, n):
    words = [w for w in re.findall(r"[^\W\d_]{4,}", statement.text[:n.start]) if w.lower() not in POWERS and not MONTH.match(w)]
    words = words or [w for w in re.findall(r"[^\W\d_]{4,}", statement.text)]
    return " ".join(words[-3:]).lower()


def frame(rng, language, words, statement, n):
    frames = [f for f in FRAMES[language] if not (words.startswith("(") and f.startswith("{p}"))]
    return rng.choice(frames).format(p=words, t=topic(statement, n))


class Case:
    def __init__(self, kind, true, claim, page, quote=None, layout="plain"):
        self.kind, self.true, self.claim, self.page, self.quote = kind, true, claim, page, quote
        self.layout, self.language = layout, "en"

    @property
    def key(self):
        return (self.page.document.name, self.page.number, re.sub(r"\s+", " ", self.quote or "").lower())

    def paragraph(self):
        doc, page = self.page.document.name, self.page.number
        tag = f'<cite doc="{doc}" page="{page}">{self.quote}</cite>' if self.quote else f'<cite doc="{doc}" page="{page}"/>'
        if self.layout == "bracket" and not self.quote:
            tag = f"[{doc}, p. {page}]"
        if self.layout == "after":
            return f"{self.claim}. {tag}"
        if self.layout == "list":
            return f"- {self.claim} {tag}"
        if self.layout == "table":
            return f"| finding | {self.claim} {tag} |"
        return f"{self.claim} {tag}."

    def passes(self, status):
        return status == "verified" or (status == "numbers_found" and not self.quote)


def cut(rng, statement):
    words = statement.text.split(" ")
    if statement.row or len(words) < 10:
        return statement.text
    size = rng.randint(5, len(words))
    start = rng.choice([0, (len(words) - size) // 2, len(words) - size])
    part = " ".join(words[start:start + size])
    if rng.random() < 0.2:
        return part.replace(" ", "\n", 1)
    return part if part.count("(") == part.count(")") else statement.text


def true_cases(rng, s):
    layouts = ["plain", "plain", "after", "list", "table", "bracket"]
    yield Case("verbatim", True, s.text, s.page, cut(rng, s), rng.choice(layouts[:4]))
    yield Case("verbatim", True, s.text, s.page, None, rng.choice(layouts))
    n = rng.choice(s.numbers)
    for kind, language, words in rewordings(n):
        for quote in (cut(rng, s), None):
            case = Case(kind, True, frame(rng, language, words, s, n), s.page, quote, rng.choice(layouts))
            case.language = language
            yield case


def changed_digits(rng, n, page, comma):
    """Digits that the page holds in no form: one digit off, two swapped, one lost, the point moved."""
    digits = n.digits
    places = [i for i, c in enumerate(digits) if c.isdigit()]
    tries = []
    for _ in range(12):
        at = rng.choice(places)
        tries.append(("wrong digit", digits[:at] + rng.choice("123456789".replace(digits[at], "")) + digits[at + 1:]))
    for a, b in zip(places, places[1:]):
        row = list(digits)
        row[a], row[b] = row[b], row[a]
        tries.append(("swapped digits", "".join(row)))
    if len(places) >= 3:
        at = rng.choice(places[1:])
        lost = re.sub(r"\D", "", digits[:at] + digits[at + 1:])
        value = int(lost) / 10**n.decimals
        tries.append(("lost digit", grouped(value, n.decimals, *((".", ",") if comma else (",", ".")))))
    if n.decimals:
        tries.append(("moved point", grouped(n.value * 10, n.decimals - 1, *((".", ",") if comma else (",", ".")))))
    seen = set()
    for kind, text in tries:
        value = value_of(text, comma)
        point = "," if comma else "."
        decimals = len(text.rsplit(point, 1)[1]) if point in text else 0
        if kind in seen or value in (None, 0.0, n.value) or re.fullmatch(r"(19|20)\d\d", text) or page.holds(value, 10.0**-decimals):
            continue
        seen.add(kind)
        yield kind, text


def false_cases(rng, s, pages, comma):
    page = s.page
    n = rng.choice(s.numbers)
    once = page.text.count(n.digits) == 1 and s.text.count(n.digits) == 1
    here = [p for p in pages if p.document is page.document]
    near = "\n".join(p.text for p in here if abs(p.number - page.number) <= 2)
    words = f"({n.phrase})" if n.parens else n.phrase
    fair = frame(rng, "en", words, s, n)
    if s.text.count(n.digits) == 1:
        for kind, text in changed_digits(rng, n, page, comma):
            claim, bad = fair.replace(n.digits, text, 1), s.text.replace(n.digits, text, 1)
            yield Case(kind, False, claim, page, cut(rng, s))
            yield Case(kind, False, claim, page)
            yield Case(kind + ", verbatim", False, bad, page, s.text)
            yield Case(kind + ", verbatim", False, bad, page)
            yield Case(kind + " in quote", False, s.text, page, bad)
            yield Case(kind + " in both", False, claim, page, bad)
    others = [p for p in pages if p is not page and re.sub(r"\W+", "", s.text.lower()) not in p.bag]
    for other in rng.sample(others, min(2, len(others))):
        kind = "other document" if other.document is not page.document else "wrong page"
        yield Case(kind, False, s.text, other, s.text)
        lost = [m for m in s.numbers if not other.holds(m.value, 10.0**-m.decimals)]
        if lost:
            yield Case(kind, False, s.text, other)
            phrase = f"({lost[0].phrase})" if lost[0].parens else lost[0].phrase
            yield Case(kind, False, frame(rng, "en", phrase, s, lost[0]), other)
        if other.statements:
            foreign = rng.choice(other.statements)
            if re.sub(r"\W+", "", foreign.text.lower()) not in page.bag:
                yield Case("quote of another page", False, s.text, page, foreign.text)
                yield Case("quote of another page", False, fair, page, foreign.text)
    if n.scale and all(m.group(0).endswith(n.scale) for m in re.finditer(re.escape(n.digits) + r"\s+\w+", near)):
        for scale in POWERS:
            power, digits = POWERS[scale], re.sub(r"\D", "", n.digits)
            # Another number of the page may round to it under its own scale.
            written = any(v != n.value and abs(v * 10.0**k / 10.0**power - n.value) <= 0.51 * 10.0**-n.decimals
                          for v in page.values for k in (0, 3, 6, 9))
            if scale != n.scale and not written and digits:
                bad = f"{n.sign}{n.digits} {scale}"
                yield Case("wrong scale", False, frame(rng, "en", bad, s, n), page, cut(rng, s))
                yield Case("wrong scale", False, frame(rng, "en", bad, s, n), page)
                yield Case("wrong scale in quote", False, s.text, page, s.text.replace(f"{n.digits} {n.scale}", f"{n.digits} {scale}", 1))
    if once and near.count(n.digits) == 1 and not FALLS.search(s.text):
        if n.parens and not re.search(r"cost|expens|charge|tax|interest|paid|pay|dividend|purchas|invest|acqui|amorti|deprec|impair|provis|capital|treasur|liab|elimin|restruct|used|deduct|issu|proceeds|spend", s.text, re.I):
            yield Case("lost minus", False, frame(rng, "en", n.phrase, s, n), page, s.text)
            yield Case("lost minus", False, frame(rng, "en", n.phrase, s, n), page)
        elif not n.parens and n.value > 20:
            yield Case("added minus", False, frame(rng, "en", "-" + n.phrase, s, n), page, s.text)
            yield Case("added minus", False, frame(rng, "en", f"\u2212{n.phrase}", s, n), page)
    if once and n.sign and near.count(n.digits) == 1:
        bad = words.replace(n.sign, "€" if n.sign == "$" else "$")
        yield Case("wrong currency", False, frame(rng, "en", bad, s, n), page, s.text)
        yield Case("wrong currency", False, frame(rng, "en", bad, s, n), page)
    tokens = s.text.split(" ")
    at = [i for i, w in enumerate(tokens) if re.fullmatch(r"[A-Za-z]{4,}", w)]
    donor = rng.choice([o for p in pages for o in p.statements])
    new = [w for w in donor.text.split(" ") if re.fullmatch(r"[A-Za-z]{4,}", w) and w.lower() not in s.text.lower()]
    twisted = []
    if at and new:
        i = rng.choice(at)
        twisted.append(("swapped word in quote", tokens[:i] + [rng.choice(new)] + tokens[i + 1:]))
        if 0 < i < len(tokens) - 1:
            twisted.append(("lost word in quote", tokens[:i] + tokens[i + 1:]))
    verb = next((i for i, w in enumerate(tokens) if w in ("is", "was", "are", "were", "has", "have", "will", "can", "may", "would")), None)
    if verb is not None:
        twisted.append(("negated quote", tokens[:verb + 1] + ["not"] + tokens[verb + 1:]))
    pairs = {"increased": "decreased", "decreased": "increased", "higher": "lower", "lower": "higher", "rose": "fell", "before": "after",
             "after": "before", "more": "fewer", "gains": "losses", "first": "last", "all": "no", "above": "below", "net": "gross"}
    turn = next((i for i, w in enumerate(tokens) if w.lower() in pairs), None)
    if turn is not None:
        twisted.append(("opposite word in quote", tokens[:turn] + [pairs[tokens[turn].lower()]] + tokens[turn + 1:]))
    for kind, row in twisted:
        if re.sub(r"\W+", "", " ".join(row).lower()) not in page.bag:
            yield Case(kind, False, s.text, page, " ".join(row))
    yield Case("too short a quote", False, s.text, page, rng.choice(["the", "of the", "net", "and", "in", "to", "a"]))
    year = re.search(r"\b(19|20)\d\d\b", page.text)
    if year:
        yield Case("lone year", False, s.text, page, year.group(0))
