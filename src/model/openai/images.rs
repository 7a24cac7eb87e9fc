//! Images that tools gave, for models that take them and for those that do not.

use std::borrow::Cow;

use serde_json::{Value, json};

use crate::model::Image;

/// An image as a URL that holds it.
pub(super) fn data_url(image: &Image) -> String {
    format!("data:{};base64,{}", image.mime, image.data)
}

/// A result without its images, and a word on how many there were.
pub(super) fn noted<'c>(content: &'c str, images: &[Image]) -> Cow<'c, str> {
    match images.len() {
        0 => Cow::Borrowed(content),
        1 => Cow::Owned(format!("{content}\n[An image came with this; it cannot be shown to you.]")),
        n => Cow::Owned(format!("{content}\n[{n} images came with this; they cannot be shown to you.]")),
    }
}

/// Images as parts of a message of the user, since messages of tools hold text only.
pub(super) fn parts(images: &[Image]) -> Vec<Value> {
    images.iter().map(|image| json!({"type": "image_url", "image_url": {"url": data_url(image)}})).collect()
}
