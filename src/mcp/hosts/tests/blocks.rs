use super::entry;
use crate::mcp::hosts::Host;
use crate::mcp::{ServedBy, ServerEntry};

#[test]
fn the_block_of_each_host() {
    let all: String = Host::ALL.into_iter().map(|host| format!("--- {}\n{}", host.title(), host.block(&entry(host)))).collect();
    insta::assert_snapshot!(all);
}

#[test]
fn nothing_is_said_that_was_not_asked_for() {
    let plain = ServerEntry::new("/opt/pagewise".as_ref(), &ServedBy::default()).unwrap();
    assert_eq!(plain.args, ["mcp"]);
    let managed =
        ServerEntry::new("/opt/pagewise".as_ref(), &ServedBy { include_management: true, ..ServedBy::default() }).unwrap();
    assert_eq!(managed.args, ["mcp", "--include-management"]);
    let odd = ServedBy { docs: vec!["-odd.pdf".to_owned()], ..ServedBy::default() };
    assert_eq!(ServerEntry::new("/opt/pagewise".as_ref(), &odd).unwrap().args, ["mcp", "--doc=-odd.pdf"]);
}

#[test]
fn this_program_is_named_by_its_whole_path() {
    let entry = ServerEntry::of_this_program(&ServedBy::default()).unwrap();
    assert!(std::path::Path::new(&entry.command).is_absolute());
}

#[test]
fn what_a_terminal_could_obey_is_escaped_and_means_the_same() {
    let odd = "a\u{1b}b\u{9b}c\u{7f}d\u{202e}e\\f'g\"h\u{1f600}.pdf";
    let served = ServedBy { docs: vec![odd.to_owned()], ..ServedBy::default() };
    let entry = ServerEntry::new("/opt/pagewise".as_ref(), &served).unwrap();
    for host in Host::ALL {
        let block = host.block(&entry);
        assert!(block.chars().all(|c| c == '\n' || !(c.is_control() || c == '\u{202e}')), "{block}");
        let read: serde_json::Value = match host {
            Host::Codex => serde_json::to_value(block.parse::<toml::Table>().unwrap()).unwrap(),
            _ => serde_json::from_str(&block).unwrap(),
        };
        assert_eq!(read[host.servers_key()]["pagewise"]["args"][2], odd, "{}", host.title());
    }
}
