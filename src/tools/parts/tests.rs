use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::Value;

use super::*;

fn node(title: &str, id: usize, nodes: Vec<Node>) -> Node {
    Node {
        title: title.to_owned(),
        node_id: format!("{id:04}"),
        start_index: id as u32 + 1,
        end_index: id as u32 + 1,
        summary: None,
        key_items: Vec::new(),
        nodes,
        provenance: Default::default(),
    }
}

/// A chain of `depth` nodes, each inside the one before it.
fn chain(depth: usize) -> Vec<Node> {
    (0..depth).rev().fold(Vec::new(), |inner, id| vec![node(&format!("Level {id}"), id, inner)])
}

fn count(tree: &[Node]) -> usize {
    tree.iter().map(|node| 1 + count(&node.nodes)).sum()
}

/// Joins all parts as a reader would: by id, the parent being the node around. Gives for each id its parent and its fields.
fn join(parts: &Parts<'_>, room: usize) -> BTreeMap<String, (Option<String>, Value)> {
    let mut all: BTreeMap<String, (Option<String>, Value)> = BTreeMap::new();
    let mut shown = 0;
    for part in 0..parts.len() {
        let json = parts.json(part);
        assert!(sent_len(&json) <= room, "part {part} takes {} of {room}", sent_len(&json));
        let tree: Value = serde_json::from_str(&json).unwrap();
        let mut rest: Vec<(Option<String>, &Value)> = tree.as_array().unwrap().iter().map(|node| (None, node)).collect();
        while let Some((parent, node)) = rest.pop() {
            let id = node["node_id"].as_str().unwrap().to_owned();
            if let Some(nodes) = node.get("nodes") {
                let nodes = nodes.as_array().unwrap();
                assert!(!nodes.is_empty(), "an empty list of nodes is left out");
                rest.extend(nodes.iter().map(|child| (Some(id.clone()), child)));
            }
            let mut fields = node.clone();
            fields.as_object_mut().unwrap().remove("nodes");
            match all.get(&id) {
                // A repeated ancestor: the same place, nothing but what says where it is.
                Some((known_parent, _)) => {
                    assert_eq!(known_parent, &parent, "{id} stands under one parent");
                    assert!(fields.get("summary").is_none() && fields.get("key_items").is_none());
                }
                None => {
                    shown += 1;
                    all.insert(id, (parent, fields));
                }
            }
        }
    }
    assert_eq!(shown, parts.nodes());
    all
}

#[test]
fn an_empty_outline_has_one_empty_part() {
    let parts = Parts::cut(&[], 10_000);
    assert_eq!((parts.len(), parts.json(0).as_str()), (1, "[]"));
}

#[test]
fn a_small_outline_is_one_part_with_the_keys_in_order() {
    let mut tree = vec![node("One", 0, vec![node("Inner", 1, Vec::new())]), node("Two", 2, Vec::new())];
    tree[0].summary = Some("Sum.".to_owned());
    tree[0].key_items = vec!["Key".to_owned()];
    let parts = Parts::cut(&tree, 10_000);
    assert_eq!(parts.len(), 1);
    assert_eq!(parts.json(0), serde_json::to_string(&tree).unwrap());
    assert_eq!(parts.pages(0), Some((1, 3)));
}

#[test]
fn nodes_that_fit_into_one_part_are_not_torn() {
    let section = |id: usize| node("S", id, (1..20).map(|at| node("A leaf of the tree", id + at, Vec::new())).collect());
    let tree: Vec<Node> = (0..20).map(|at| section(at * 20)).collect();
    let parts = Parts::cut(&tree, 4_000);
    assert!(parts.len() > 5);
    for part in 0..parts.len() {
        for root in serde_json::from_str::<Vec<Node>>(&parts.json(part)).unwrap() {
            assert_eq!(root.nodes.len(), 19);
        }
    }
    assert_eq!(join(&parts, 4_000).len(), 400);
}

#[test]
fn a_giant_node_is_opened_and_its_ancestors_are_repeated() {
    let leaves = (2..3_002).map(|id| node("A leaf of the tree", id, Vec::new())).collect();
    let tree = vec![node("Root", 0, vec![node("Giant", 1, leaves)])];
    let parts = Parts::cut(&tree, 20_000);
    let second: Vec<Node> = serde_json::from_str(&parts.json(1)).unwrap();
    assert_eq!((second[0].title.as_str(), second[0].nodes[0].title.as_str()), ("Root", "Giant"));
    assert!(second[0].nodes[0].nodes.len() > 100);
    let all = join(&parts, 20_000);
    assert_eq!(all.len(), 3_002);
    assert_eq!(all["2999"].0.as_deref(), Some("0001"));
}

#[test]
fn flat_nodes_fill_the_parts_well() {
    let tree: Vec<Node> = (0..3_000).map(|id| node("A title of common length", id, Vec::new())).collect();
    let parts = Parts::cut(&tree, 20_000);
    let all: usize = (0..parts.len()).map(|part| parts.json(part).len()).sum();
    assert_eq!(parts.len(), all.div_ceil(19_500), "hardly any room is wasted");
    assert_eq!(join(&parts, 20_000).len(), 3_000);
}

#[test]
fn what_is_too_deep_is_listed_at_the_last_level() {
    let tree = chain(200);
    let parts = Parts::cut(&tree, 90_000);
    assert!(parts.flattened);
    let all = join(&parts, 90_000);
    assert_eq!(all.len(), 200);
    assert_eq!(all["0049"].0, all["0199"].0);
    assert!(!Parts::cut(&chain(MAX_DEPTH), 90_000).flattened);
    // The document chooses the depth: no recursion here.
    let deep = chain(3_000);
    assert_eq!(join(&Parts::cut(&deep, 5_000), 5_000).len(), 3_000);
}

#[test]
fn what_is_too_long_by_itself_is_shortened_with_a_mark() {
    let mut root = node(&"t".repeat(90_000), 0, vec![node("Child", 1, Vec::new())]);
    root.summary = Some("s".repeat(200_000));
    root.key_items = (0..2_000).map(|at| format!("item {at}")).collect();
    let tree = vec![root];
    let parts = Parts::cut(&tree, 94_000);
    assert!(parts.shortened);
    let all = join(&parts, 94_000);
    let fields = &all["0000"].1;
    for key in ["title", "summary"] {
        assert!(fields[key].as_str().unwrap().ends_with("more characters cut]"), "{key}");
    }
    assert!(fields["key_items"].as_array().unwrap().last().unwrap().as_str().unwrap().ends_with("more cut]"));
    assert_eq!(all["0001"].0.as_deref(), Some("0000"));
}

#[test]
fn a_long_title_that_fits_stays_whole_and_is_short_when_repeated() {
    let title = "t".repeat(90_000);
    let leaves = (1..2_000).map(|id| node("A leaf of the tree", id, Vec::new())).collect();
    let tree = vec![node(&title, 0, leaves)];
    let parts = Parts::cut(&tree, 94_000);
    assert!(!parts.shortened && parts.len() >= 2);
    assert_eq!(join(&parts, 94_000)["0000"].1["title"].as_str(), Some(title.as_str()));
    let second: Vec<Node> = serde_json::from_str(&parts.json(1)).unwrap();
    assert!(second[0].title.len() < 200);
}

fn any_tree() -> impl Strategy<Value = Vec<Node>> {
    let text = prop_oneof![4 => "[a-z ]{0,30}", 1 => "[\u{0}-\u{1f}\"\\\\]{0,60}", 1 => "(wide \u{1f600} \u{6587}){1,80}"];
    let leaf = (text.clone(), proptest::option::of(text.clone()), proptest::collection::vec(text, 0..3)).prop_map(
        |(title, summary, key_items)| {
            let mut leaf = node(&title, 0, Vec::new());
            (leaf.summary, leaf.key_items) = (summary, key_items);
            leaf
        },
    );
    let tree = leaf.prop_recursive(12, 120, 10, |inner| {
        ("[a-z]{0,40}", proptest::collection::vec(inner, 1..10)).prop_map(|(title, nodes)| node(&title, 0, nodes))
    });
    proptest::collection::vec(tree, 0..6)
}

fn number(tree: &mut [Node], next: &mut usize) {
    for node in tree {
        node.node_id = format!("{next:04}");
        *next += 1;
        number(&mut node.nodes, next);
    }
}

fn parents(tree: &[Node], parent: Option<&str>, out: &mut BTreeMap<String, Option<String>>) {
    for node in tree {
        out.insert(node.node_id.clone(), parent.map(str::to_owned));
        parents(&node.nodes, Some(&node.node_id), out);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn joining_all_parts_gives_every_node_once_in_its_place(mut tree in any_tree(), room in 1_000usize..30_000) {
        number(&mut tree, &mut 0);
        let parts = Parts::cut(&tree, room);
        let all = join(&parts, room);
        prop_assert_eq!(all.len(), count(&tree));
        if !parts.flattened {
            let mut expected = BTreeMap::new();
            parents(&tree, None, &mut expected);
            let found: BTreeMap<_, _> = all.into_iter().map(|(id, (parent, _))| (id, parent)).collect();
            prop_assert_eq!(found, expected);
        }
    }
}
