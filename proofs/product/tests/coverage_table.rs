//! The coverage table in docs/schemes.md is the one in the code.

use std::{fs, path::Path};

const BEGIN: &str = "<!-- coverage table: begin -->\n";
const END: &str = "<!-- coverage table: end -->";

/// With HAMILTONE_UPDATE set the page is rewritten instead of compared.
#[test]
fn the_coverage_table_is_generated() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schemes.md");
    let page = fs::read_to_string(&path).expect("docs/schemes.md");
    let (before, rest) = page.split_once(BEGIN).expect("the mark where the table begins");
    let (shown, after) = rest.split_once(END).expect("the mark where it ends");
    let table = hamiltone_schemes::coverage_table();
    if std::env::var_os("HAMILTONE_UPDATE").is_some() {
        fs::write(&path, format!("{before}{BEGIN}{table}{END}{after}")).expect("a page that can be written");
    } else {
        assert!(
            shown == table,
            "the table in docs/schemes.md differs from the coverage of the schemes; \
             rewrite it with HAMILTONE_UPDATE=1 cargo test -p hamiltone-product --test all coverage_table"
        );
    }
}
