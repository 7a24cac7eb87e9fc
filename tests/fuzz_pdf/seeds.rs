//! The files that inputs are made of.

use std::path::{Path, PathBuf};

use crate::forge;

/// Larger files take too long to be of use.
const FILE_BYTES: u64 = 300 << 10;

/// Seed files: forged ones in memory, others by their path.
pub enum Seed {
    Forged(Vec<u8>),
    File(PathBuf),
}

impl Seed {
    pub fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Forged(bytes) => bytes.clone(),
            Self::File(path) => std::fs::read(path).unwrap_or_default(),
        }
    }
}

/// All seeds, in an order that the files alone decide.
pub fn all() -> Vec<Seed> {
    let mut seeds: Vec<Seed> = forged().into_iter().map(Seed::Forged).collect();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/documents")];
    folders.extend(std::env::var_os("PAGEWISE_SHARED").map(|shared| Path::new(&shared).join("data/odd")));
    folders.extend(std::env::var_os("PAGEWISE_FUZZ_SEEDS").map(PathBuf::from));
    for folder in folders {
        let mut files = Vec::new();
        find(&folder, &mut files);
        files.sort();
        seeds.extend(files.into_iter().map(Seed::File));
    }
    seeds
}

fn find(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match entry.metadata() {
            Ok(meta) if meta.is_dir() => find(&path, files),
            Ok(meta) if meta.len() <= FILE_BYTES && path.extension().is_some_and(|e| e == "pdf") => files.push(path),
            _ => {}
        }
    }
}

fn stream(dictionary: &str, content: &str) -> String {
    format!("<<{dictionary}/Length {}>>stream\n{content}\nendstream", content.len())
}

/// Small files that hold one of everything that the room reads.
fn forged() -> Vec<Vec<u8>> {
    let outline = "/Outlines 8 0 R/PageLabels<</Nums[0<</S/r>>1<</S/D/P(A-)/St 7>>]>>/Names<</Dests<</Names[(x)[6 0 R/Fit]]>>>>";
    let entries = [
        "<</First 9 0 R/Last 10 0 R>>",
        "<</Title(One)/Dest[4 0 R/XYZ 0 700 0]/Next 10 0 R>>",
        "<</Title<FEFF00540077006F>/A<</S/GoTo/D(x)>>/Prev 9 0 R/First 11 0 R>>",
        "<</Title(Three)/Dest(x)/Parent 10 0 R>>",
    ];
    let form = "/AcroForm<</Fields[8 0 R]/DA(/F1 9 Tf)/DR<</Font<</F1 3 0 R>>>>>>/OCProperties<</OCGs[9 0 R]/D<</OFF[9 0 R]>>>>";
    let widget = "<</Type/Annot/Subtype/Widget/FT/Tx/V(filled in)/T(a)/Rect[10 10 200 30]/P 4 0 R/AP<</N 10 0 R>>>>";
    let appearance = stream(
        "/Type/XObject/Subtype/Form/BBox[0 0 190 20]/Resources<</Font<</F1 3 0 R>>>>",
        "/Tx BMC BT /F1 9 Tf 2 5 Td (filled in) Tj ET EMC",
    );
    let filled = forge::document(&["Name and address", "Second"], form, &[widget, "<</Type/OCG/Name(Layer)>>", &appearance]);
    let filled = forge::patched(&filled, "/Contents 5 0 R", "/Annots[8 0 R] ");
    vec![forge::document(&["One", "Two"], outline, &entries), filled, everything(), tagged()]
}

/// A page with a structure tree: roles of its own, content of a form, lists in place and by reference.
fn tagged() -> Vec<u8> {
    let content = "/P<</MCID 0>> BDC BT /F1 14 Tf 72 700 Td (Heading) Tj ET EMC /P/P1 BDC BT /F1 9 Tf 72 600 Td (Words) Tj ET EMC /X1 Do\n\
        /Artifact<</Type/Pagination>> BDC BT /F1 8 Tf 72 780 Td (Head) Tj ET EMC /P<</MCID 2>> BDC BT /F1 9 Tf 72 400 Td (Cell) Tj ET EMC";
    let resources = "/Resources<</Font<</F1 4 0 R>>/XObject<</X1 5 0 R>>/Properties<</P1<</MCID 1>>>>>>";
    forge::pdf(&[
        "<</Type/Catalog/Pages 2 0 R/StructTreeRoot 7 0 R/MarkInfo<</Marked true>>>>".into(),
        "<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 600 800]>>".into(),
        format!("<</Type/Page/Parent 2 0 R/StructParents 0{resources}/Contents 6 0 R>>"),
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>".into(),
        stream(
            "/Type/XObject/Subtype/Form/BBox[0 0 600 800]/Resources<</Font<</F1 4 0 R>>>>",
            "/P<</MCID 0>> BDC BT /F1 9 Tf 72 500 Td (In a form) Tj ET EMC",
        ),
        stream("", content),
        "<</Type/StructTreeRoot/RoleMap<</Chap/Top/Top/H1/Para/P/Caption1/P>>/K[8 0 R]>>".into(),
        "<</S/Document/P 7 0 R/K[<</S/Chap/Pg 3 0 R/K[0]>> 9 0 R 10 0 R]>>".into(),
        "<</S/Sect/P 8 0 R/K[<</S/Para/Pg 3 0 R/K 1>><</S/Caption1/K[<</Type/MCR/Pg 3 0 R/Stm 5 0 R/MCID 0>>]>>]>>".into(),
        "<</S/Table/P 8 0 R/Pg 3 0 R/K[<</S/TR/K[<</S/TD/K[2 <</Type/OBJR/Obj 4 0 R>>]>>]>>]>>".into(),
    ])
}

/// A page with composite and Type 3 fonts, maps, marks, a form, inline images and all text operators.
fn everything() -> Vec<u8> {
    let content = "q 1 0 0 1 10 20 cm BT /F1 12 Tf 14 TL 72 700 Td (Plain) Tj T* [(K)-120(ern)300(ed)] TJ 1 2 (spaced) \" (next) ' ET Q\n\
        BT /F2 10 Tf 1 0 0 1 72 600 Tm <000100020003> Tj 5 Ts <0004> Tj 0 Ts ET /X1 Do\n\
        BT /F3 1 Tf 10 0 0 10 72 500 Tm (ab) Tj ET /Span<</ActualText<FEFF00410042>>> BDC BT /F1 9 Tf 72 400 Td (xy) Tj ET EMC\n\
        /Artifact BMC BT /F1 8 Tf 300 20 Td (7) Tj ET EMC BI /W 1 /H 1 /BPC 8 /CS /G ID x EI 1 g BT /F1 9 Tf 3 Tr 72 300 Td (unseen) Tj ET\n\
        0 0 600 30 re f 0.5 0.5 0.1 rg /GS1 gs BT /F1 9 Tf 0 1 -1 0 500 300 Tm 80 Tz 2 Tc 3 Tw (tilted words) Tj ET";
    let map = "/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <0000><FFFF> endcodespacerange\n\
        2 beginbfchar <0001><0041> <0002><D83DDE00> endbfchar 1 beginbfrange <0003><0005><0061> endbfrange\n\
        1 beginbfrange <0010><0012>[<0066><0069><006600660069>] endbfrange endcmap end";
    let fonts = "/Font<</F1 4 0 R/F2 5 0 R/F3 7 0 R>>/XObject<</X1 8 0 R>>/ExtGState<</GS1<</Font[4 0 R 9]>>>>";
    forge::pdf(&[
        "<</Type/Catalog/Pages 2 0 R/MarkInfo<</Marked true>>>>".into(),
        "<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 600 800]>>".into(),
        format!("<</Type/Page/Parent 2 0 R/CropBox[5 5 595 795]/Rotate 90/Resources<<{fonts}>>/Contents[9 0 R 10 0 R]>>"),
        "<</Type/Font/Subtype/Type1/BaseFont/Times-Roman/Encoding<</Differences[65/A/fi 70/uni0416/g12]>>>>".into(),
        "<</Type/Font/Subtype/Type0/BaseFont/X/Encoding/Identity-H/DescendantFonts[6 0 R]/ToUnicode 11 0 R>>".into(),
        "<</Type/Font/Subtype/CIDFontType2/BaseFont/X/CIDSystemInfo<</Registry(Adobe)/Ordering(Japan1)/Supplement 2>>/DW 900/W[1[500 600]7 9 700]>>"
            .into(),
        "<</Type/Font/Subtype/Type3/FontBBox[0 0 9 9]/FontMatrix[.1 0 0 .1 0 0]/FirstChar 97/LastChar 98/Widths[5 6]/Encoding<</Differences\
         [97/a/b]>>/CharProcs<</a 12 0 R/b 12 0 R>>>>"
            .into(),
        stream("/Type/XObject/Subtype/Form/BBox[0 0 600 800]/Matrix[1 0 0 1 5 5]", "BT /F1 9 Tf 72 200 Td (in a form) Tj ET /X1 Do"),
        stream("", content),
        stream("", "BT /F1 9 Tf 72 100 Td (second part) Tj ET"),
        stream("", map),
        stream("", "5 0 0 0 5 5 d1 0 0 5 5 re f"),
    ])
}
