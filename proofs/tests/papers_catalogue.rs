//! Every item of every paper is made, is complete, and is proven somewhere.

use hamiltone_papers::{
    catalogue,
    figure::{Cell, Effort, Item},
};
use std::collections::BTreeSet;

fn items() -> impl Iterator<Item = &'static Item> {
    catalogue().iter().flat_map(|paper| paper.items)
}

/// Both efforts make tables whose rows fit and numbers are numbers, and figures that show something.
#[test]
fn every_item_is_complete() {
    for item in items() {
        let outcome =
            (item.make)(Effort::Short).unwrap_or_else(|e| panic!("{} {}: {e}", item.paper, item.name));
        assert!(!outcome.tables.is_empty(), "{} {}", item.paper, item.name);
        for table in &outcome.tables {
            assert!(!table.rows.is_empty(), "{}", table.title);
            for row in &table.rows {
                assert_eq!(row.len(), table.columns.len(), "{}", table.title);
                let sound = |cell: &Cell| !matches!(cell, Cell::Number(x) if !x.is_finite());
                assert!(row.iter().all(sound), "{}: {row:?}", table.title);
            }
        }
        for figure in &outcome.figures {
            assert!(!figure.caption.is_empty() && !figure.panels.is_empty(), "{}", figure.title);
            for panel in &figure.panels {
                let drawn = panel.series.iter().flat_map(|series| &series.points).filter(|p| p.1.is_finite());
                assert!(drawn.count() > 2, "{}: {}", figure.title, panel.title);
            }
        }
    }
}

#[test]
fn names_are_addresses() {
    let names: BTreeSet<_> = items().map(|item| (item.paper, item.name)).collect();
    assert_eq!(names.len(), items().count());
    for paper in catalogue() {
        assert!(paper.items.iter().all(|item| item.paper == paper.name));
    }
}

/// Each item's proof: a test named after it in its paper's file.
#[test]
fn every_item_is_proven() {
    let proofs = [
        ("chatziioannou_vanwalstijn_2015", include_str!("papers_c15.rs")),
        ("ducceschi_2017", include_str!("papers_d17.rs")),
        ("ishikawa_2018", include_str!("papers_i18.rs")),
        ("chatziioannou_2019", include_str!("papers_c19.rs")),
        ("siconos_modal_moreau_jean", include_str!("papers_sic.rs")),
    ];
    for item in items() {
        let source = proofs.iter().find(|proof| proof.0 == item.paper).expect("a proof file a paper").1;
        let test = match item.name.strip_prefix("fig").or(item.name.strip_prefix("table")) {
            Some(number) if item.name.starts_with("fig") => format!("fn figure_{number}()"),
            Some(number) => format!("fn table_{number}()"),
            None => format!("fn {}", item.name.trim_end_matches('s')),
        };
        assert!(source.contains(&test), "{} {} has no `{test}`", item.paper, item.name);
    }
}
