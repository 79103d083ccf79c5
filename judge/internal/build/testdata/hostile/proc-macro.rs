// verdict: CE
// why: code that the compiler would load
// says: proc

use proc_macro::TokenStream;
#[proc_macro]
pub fn m(t: TokenStream) -> TokenStream { t }
fn main() {}
