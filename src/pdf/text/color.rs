//! Fill colours, as near as a reader needs them: no colour management, tints as shades of grey.

use hayro_syntax::object::{Array, Name, Number, Object, Stream};
use hayro_syntax::page::Resources;

/// How the operands of a colour operator are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Space {
    Gray,
    Rgb,
    Cmyk,
    /// Lightness comes first (0 to 100).
    Lab,
    /// An ink: 0 is paper, 1 is full.
    Tint,
    /// Patterns, index tables: nothing is known of the colour.
    Other,
}

impl Space {
    /// The space behind a name of a `cs` operator.
    pub(super) fn named(name: &Name<'_>, resources: &Resources<'_>) -> Self {
        match Self::device(name) {
            Some(space) => space,
            None => resources.get_color_space(name).map_or(Self::Other, |object| Self::of_object(&object)),
        }
    }

    fn device(name: &[u8]) -> Option<Self> {
        match name {
            b"DeviceGray" | b"CalGray" | b"G" => Some(Self::Gray),
            b"DeviceRGB" | b"CalRGB" | b"RGB" => Some(Self::Rgb),
            b"DeviceCMYK" | b"CMYK" => Some(Self::Cmyk),
            b"Pattern" => Some(Self::Other),
            _ => None,
        }
    }

    fn of_object(object: &Object<'_>) -> Self {
        match object {
            Object::Name(name) => Self::device(name).unwrap_or(Self::Other),
            Object::Array(array) => Self::of_array(array),
            _ => Self::Other,
        }
    }

    fn of_array(array: &Array<'_>) -> Self {
        let mut items = array.flex_iter();
        let Some(family) = items.next::<Name<'_>>() else { return Self::Other };
        match family.as_ref() {
            b"ICCBased" => {
                let components = items.next::<Stream<'_>>().and_then(|s| s.dict().get::<i32>("N"));
                match components {
                    Some(1) => Self::Gray,
                    Some(4) => Self::Cmyk,
                    _ => Self::Rgb,
                }
            }
            b"Lab" => Self::Lab,
            b"Separation" | b"DeviceN" => Self::Tint,
            name => Self::device(name).unwrap_or(Self::Other),
        }
    }

    /// 0xRRGGBB of operands in this space.
    pub(super) fn color(self, operands: &[Number]) -> u32 {
        let at = |i: usize| operands.get(i).map_or(0.0, Number::as_f32);
        match self {
            Self::Gray => gray(at(0)),
            Self::Rgb => rgb(at(0), at(1), at(2)),
            Self::Cmyk => cmyk(at(0), at(1), at(2), at(3)),
            Self::Lab => gray(at(0) / 100.0),
            Self::Tint => gray(1.0 - operands.iter().map(Number::as_f32).fold(0.0, f32::max)),
            Self::Other => 0,
        }
    }
}

/// 0xRRGGBB of a grey, 0 to 1.
pub(super) fn gray(level: f32) -> u32 {
    rgb(level, level, level)
}

/// 0xRRGGBB of three components, 0 to 1.
pub(super) fn rgb(r: f32, g: f32, b: f32) -> u32 {
    let byte = |v: f32| (v.clamp(0.0, 1.0) * 255.0).round() as u32;
    byte(r) << 16 | byte(g) << 8 | byte(b)
}

/// 0xRRGGBB of four inks, 0 to 1.
pub(super) fn cmyk(c: f32, m: f32, y: f32, k: f32) -> u32 {
    let light = |ink: f32| (1.0 - ink.clamp(0.0, 1.0)) * (1.0 - k.clamp(0.0, 1.0));
    rgb(light(c), light(m), light(y))
}

#[cfg(test)]
mod tests {
    use super::{cmyk, gray, rgb};

    #[test]
    fn plain_values() {
        assert_eq!(gray(0.0), 0);
        assert_eq!(gray(1.0), 0xFF_FFFF);
        assert_eq!(rgb(1.0, 0.0, 2.0), 0xFF_00FF);
        assert_eq!(cmyk(0.0, 0.0, 0.0, 1.0), 0);
        assert_eq!(cmyk(0.0, 1.0, 1.0, 0.0), 0xFF_0000);
    }
}
