//! Encrypted files, made with lopdf.

use std::collections::BTreeMap;
use std::sync::Arc;

use lopdf::encryption::crypt_filters::{Aes128CryptFilter, Aes256CryptFilter, CryptFilter};
use lopdf::{Document, EncryptionState, EncryptionVersion, Object, Permissions, StringFormat};

use super::forge::document;
use crate::pdf::{FileNote, OpenOptions, PdfError, PdfErrorKind, PdfFile};

#[derive(Clone, Copy)]
enum Method {
    Rc4,
    Aes128,
    Aes256,
}

const METHODS: [Method; 3] = [Method::Rc4, Method::Aes128, Method::Aes256];

fn encrypted(method: Method, owner: &str, user: &str, permissions: Permissions) -> Vec<u8> {
    let id = || Object::String(b"0123456789abcdef".to_vec(), StringFormat::Literal);
    encrypted_with_id(method, (owner, user), permissions, Some(Object::Array(vec![id(), id()])))
}

/// With this as the file's id; without one, the key is made with an empty id.
fn encrypted_with_id(method: Method, (owner, user): (&str, &str), permissions: Permissions, file_id: Option<Object>) -> Vec<u8> {
    let plain = document(&["Secret words"], "/Outlines 6 0 R", &["<</First 7 0 R>>", "<</Title(Hidden)/Dest[4 0 R/Fit]>>"]);
    let mut document = Document::load_mem(&plain).unwrap();
    let empty = || Object::Array(vec![Object::string_literal("")]);
    document.trailer.set("ID", file_id.clone().unwrap_or_else(empty));
    let filter = |f: Arc<dyn CryptFilter>| BTreeMap::from([(b"StdCF".to_vec(), f)]);
    let state = match method {
        Method::Rc4 => EncryptionState::try_from(EncryptionVersion::V2 {
            document: &document,
            owner_password: owner,
            user_password: user,
            key_length: 128,
            permissions,
        }),
        Method::Aes128 => EncryptionState::try_from(EncryptionVersion::V4 {
            document: &document,
            encrypt_metadata: true,
            crypt_filters: filter(Arc::new(Aes128CryptFilter)),
            stream_filter: b"StdCF".to_vec(),
            string_filter: b"StdCF".to_vec(),
            owner_password: owner,
            user_password: user,
            permissions,
        }),
        Method::Aes256 => EncryptionState::try_from(EncryptionVersion::V5 {
            encrypt_metadata: true,
            crypt_filters: filter(Arc::new(Aes256CryptFilter)),
            file_encryption_key: &[7; 32],
            stream_filter: b"StdCF".to_vec(),
            string_filter: b"StdCF".to_vec(),
            owner_password: owner,
            user_password: user,
            permissions,
        }),
    };
    document.encrypt(&state.unwrap()).unwrap();
    if file_id.is_none() {
        document.trailer.remove(b"ID");
    }
    let mut out = Vec::new();
    document.save_to(&mut out).unwrap();
    out
}

fn open(bytes: &[u8], password: Option<&str>) -> Result<PdfFile, PdfError> {
    PdfFile::from_bytes(bytes.to_vec(), &OpenOptions { password: password.map(Into::into), ..OpenOptions::default() })
}

fn assert_readable(file: &PdfFile) {
    assert_eq!(file.page(1).text, "Secret words");
    assert_eq!(file.outline()[0].title, "Hidden");
}

#[test]
fn passwords_are_asked_for_and_checked() {
    for method in METHODS {
        let bytes = encrypted(method, "boss", "letmein", Permissions::all());
        assert_eq!(open(&bytes, None).unwrap_err().kind, PdfErrorKind::PasswordRequired);
        let wrong = open(&bytes, Some("hunter2")).unwrap_err();
        assert_eq!(wrong.kind, PdfErrorKind::WrongPassword);
        assert!(!format!("{wrong} {wrong:?}").contains("hunter2"));
        let file = open(&bytes, Some("letmein")).unwrap();
        assert_readable(&file);
        assert!(!format!("{file:?}").contains("letmein"));
    }
}

#[test]
fn the_owner_password_opens_too() {
    for method in METHODS {
        let bytes = encrypted(method, "boss", "letmein", Permissions::PRINTABLE);
        let file = open(&bytes, Some("boss")).unwrap();
        assert_readable(&file);
        assert!(file.notes().is_empty(), "the owner may copy");
    }
}

#[test]
fn passwords_outside_ascii() {
    for method in METHODS {
        let bytes = encrypted(method, "Schlüssel", "für-élise", Permissions::all());
        assert_readable(&open(&bytes, Some("für-élise")).unwrap());
    }
}

#[test]
fn the_empty_password_opens_silently() {
    for method in METHODS {
        assert_readable(&open(&encrypted(method, "boss", "", Permissions::all()), None).unwrap());
        // A password that is not needed does no harm.
        assert_readable(&open(&encrypted(method, "boss", "", Permissions::all()), Some("unneeded")).unwrap());
        let forbidden = open(&encrypted(method, "boss", "", Permissions::PRINTABLE), None).unwrap();
        assert_eq!(forbidden.notes(), [FileNote::CopyForbidden]);
        assert_readable(&forbidden);
    }
}

#[test]
fn files_without_an_id_open() {
    for method in METHODS {
        assert_readable(&open(&encrypted_with_id(method, ("boss", ""), Permissions::all(), None), None).unwrap());
        let locked = encrypted_with_id(method, ("boss", "letmein"), Permissions::all(), None);
        assert_eq!(open(&locked, None).unwrap_err().kind, PdfErrorKind::PasswordRequired);
        assert_readable(&open(&locked, Some("letmein")).unwrap());
    }
}

#[test]
fn an_empty_owner_password_is_no_open_door() {
    let bytes = encrypted(Method::Aes256, "", "letmein", Permissions::all());
    assert_eq!(open(&bytes, None).unwrap_err().kind, PdfErrorKind::PasswordRequired);
    assert_readable(&open(&bytes, Some("letmein")).unwrap());
}

#[test]
fn unknown_methods_are_said_to_be_unknown() {
    let bytes = encrypted(Method::Rc4, "boss", "letmein", Permissions::all());
    let bytes = super::forge::patched(&bytes, "/Filter/Standard", "/Filter/Custom12");
    let error = open(&bytes, None).unwrap_err();
    assert_eq!(error.kind, PdfErrorKind::Damaged);
    assert!(error.message.contains("an unknown method"), "{error}");
    assert!(!error.message.contains("certificate"), "{error}");
}

#[test]
fn files_for_certificates_say_so() {
    let plain = String::from_utf8(document(&["One"], "", &[])).unwrap();
    let lock = "/Encrypt<</Filter/Adobe.PubSec/SubFilter/adbe.pkcs7.s5/V 4/Length 128/Recipients[(x)]>>>>\nstartxref";
    let error = open(plain.replace(">>\nstartxref", lock).as_bytes(), None).unwrap_err();
    assert_eq!(error.kind, PdfErrorKind::Damaged);
    assert!(error.message.contains("encrypted for the holders of certain certificates"), "{error}");
}

#[test]
fn files_with_encrypted_attachments_alone_open() {
    let lock = |filters: &str| {
        let codes = "0".repeat(32);
        let lock = format!(
            "<</Filter/Standard/V 4/R 4/Length 128/P -1/O({codes})/U({codes})/CF<</StdCF<</CFM/AESV2/AuthEvent/EFOpen/Length 16>>>>\
             /EFF/StdCF/EncryptMetadata false{filters}>>"
        );
        let plain = document(&["Open words"], "/Outlines 7 0 R", &[&lock, "<</First 8 0 R>>", "<</Title(Top)/Dest[4 0 R/Fit]>>"]);
        String::from_utf8(plain).unwrap().replace(">>\nstartxref", "/Encrypt 6 0 R/ID[(a)(a)]>>\nstartxref")
    };
    for filters in ["", "/StmF/Identity/StrF/Identity"] {
        let file = open(lock(filters).as_bytes(), None).unwrap();
        assert_eq!((file.page(1).text.as_str(), file.outline()[0].title.as_str()), ("Open words", "Top"), "{filters}");
        assert_eq!(file.notes(), []);
    }
    assert_eq!(open(lock("/StmF/StdCF/StrF/StdCF").as_bytes(), None).unwrap_err().kind, PdfErrorKind::PasswordRequired);
}
