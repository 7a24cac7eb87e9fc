//! Radicals that stand for the ideograph that they look like. Fonts map one glyph to both, and some programs write the radical down;
//! those of the supplement have no compatibility form in Unicode (its file EquivalentUnifiedIdeograph lists them).

/// The ideograph that a radical of the supplement (U+2E80 to U+2EFF) is read as. Those that are only ever parts of others stay.
pub(super) fn ideograph(c: char) -> char {
    const FORMS: [(char, char); 37] = [
        ('\u{2E9F}', '母'),
        ('\u{2EA0}', '民'),
        ('\u{2EC1}', '虎'),
        ('\u{2EC4}', '西'),
        ('\u{2EC5}', '见'),
        ('\u{2EC6}', '角'),
        ('\u{2EC9}', '贝'),
        ('\u{2ECB}', '车'),
        ('\u{2ED1}', '長'),
        ('\u{2ED3}', '长'),
        ('\u{2ED4}', '门'),
        ('\u{2ED8}', '青'),
        ('\u{2ED9}', '韦'),
        ('\u{2EDA}', '页'),
        ('\u{2EDB}', '风'),
        ('\u{2EDC}', '飞'),
        ('\u{2EDD}', '食'),
        ('\u{2EE2}', '马'),
        ('\u{2EE3}', '骨'),
        ('\u{2EE4}', '鬼'),
        ('\u{2EE5}', '鱼'),
        ('\u{2EE6}', '鸟'),
        ('\u{2EE7}', '卤'),
        ('\u{2EE8}', '麦'),
        ('\u{2EE9}', '黄'),
        ('\u{2EEA}', '黾'),
        ('\u{2EEB}', '斉'),
        ('\u{2EEC}', '齐'),
        ('\u{2EED}', '歯'),
        ('\u{2EEE}', '齿'),
        ('\u{2EEF}', '竜'),
        ('\u{2EF0}', '龙'),
        ('\u{2EF1}', '龜'),
        ('\u{2EF2}', '亀'),
        ('\u{2EF3}', '龟'),
        ('\u{2EC2}', '衤'),
        ('\u{2ECF}', '阝'),
    ];
    FORMS.iter().find(|(radical, _)| *radical == c).map_or(c, |(_, ideograph)| *ideograph)
}
