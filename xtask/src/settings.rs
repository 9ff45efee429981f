//! The table of settings, made from the source of the client's `Config` and from its defaults.

use anyhow::{Context, Result, bail};
use httpx_client::Config;
use std::fmt::Write as _;
use syn::{Attribute, Expr, Field, Fields, Item, Lit, Meta, Type, Variant};

/// Where the settings are.
pub const CONFIG: &str = "crates/httpx-client/src/config.rs";

/// Where it is said how they are written.
pub const FORMS: &str = "crates/httpx-client/src/config/written.rs";

/// Where those of credentials are.
pub const AUTH_CONFIG: &str = "crates/httpx-client/src/auth_config.rs";

/// Every key of `httpx.toml` with what may stand there, its default and its meaning, as a Markdown table.
///
/// # Errors
/// When a source cannot be read, or a field has a type that this does not know.
pub fn table(config: &str, forms: &str, auth_config: &str) -> Result<String> {
    let (config, auth) = (parsed(config, CONFIG)?, parsed(auth_config, AUTH_CONFIG)?);
    let forms = parsed(forms, FORMS)?;
    let defaults = toml::Table::try_from(Config::defaults())?;
    let mut table = "| key | value | default | meaning |\n|---|---|---|---|\n".to_owned();
    for field in fields(&config, "Config")? {
        let key = name(field);
        let default = defaults.get(&key);
        match inner(&field.ty).as_str() {
            "BudgetSetting" => {
                let values = "`\"off\"`, or the table of the next rows";
                row(&mut table, &key, values, None, &field.attrs)?;
                for part in fields(&config, "Tokens")? {
                    let default = default.and_then(|budget| budget.get(name(part)));
                    row(&mut table, &format!("{key}.{}", name(part)), &values_of(part, &forms)?, default, &part.attrs)?;
                }
            }
            "AuthConfig" => {
                for part in fields(&auth, "AuthConfig")? {
                    row(&mut table, &format!("{key}.{}", name(part)), &values_of(part, &forms)?, None, &part.attrs)?;
                }
            }
            _ => row(&mut table, &key, &values_of(field, &forms)?, default, &field.attrs)?,
        }
    }
    Ok(table)
}

fn parsed(source: &str, path: &str) -> Result<Vec<Item>> {
    Ok(syn::parse_file(source).with_context(|| format!("{path} cannot be read"))?.items)
}

fn row(table: &mut String, key: &str, values: &str, default: Option<&toml::Value>, attrs: &[Attribute]) -> Result<()> {
    let default = default.map(|default| format!("`{default}`")).unwrap_or_default();
    Ok(writeln!(table, "| `{key}` | {values} | {default} | {} |", meaning(attrs))?)
}

/// The fields of a struct, or of a variant of an enum.
fn fields<'a>(items: &'a [Item], wanted: &str) -> Result<Vec<&'a Field>> {
    let of = |fields: &'a Fields| fields.iter().collect();
    items
        .iter()
        .find_map(|item| match item {
            Item::Struct(item) if item.ident == wanted => Some(of(&item.fields)),
            Item::Enum(item) => {
                item.variants.iter().find(|variant| variant.ident == wanted).map(|variant| of(&variant.fields))
            }
            _ => None,
        })
        .with_context(|| format!("there is no {wanted} any more; tell xtask/src/settings.rs what it is called"))
}

fn name(field: &Field) -> String {
    field.ident.as_ref().map(ToString::to_string).unwrap_or_default()
}

/// The name of the type, without the `Option` around it; a list is told as `Vec<…>`.
fn inner(ty: &Type) -> String {
    let Type::Path(path) = ty else { return String::new() };
    let Some(last) = path.path.segments.last() else { return String::new() };
    let argument = match &last.arguments {
        syn::PathArguments::AngleBracketed(arguments) => arguments.args.iter().find_map(|argument| match argument {
            syn::GenericArgument::Type(ty) => Some(inner(ty)),
            _ => None,
        }),
        _ => None,
    };
    match (last.ident == "Option", argument) {
        (true, Some(argument)) => argument,
        (false, Some(argument)) => format!("{}<{argument}>", last.ident),
        (_, None) => last.ident.to_string(),
    }
}

/// What may stand there.
fn values_of(field: &Field, forms: &[Item]) -> Result<String> {
    Ok(match inner(&field.ty).as_str() {
        "bool" => "`true` or `false`".to_owned(),
        "NonZeroU32" => "a whole number, 1 or more".to_owned(),
        "u32" | "u64" => "a whole number, 0 or more".to_owned(),
        "f64" => "a number".to_owned(),
        "Duration" => "a duration, such as `\"500ms\"`".to_owned(),
        "Limit" => "a duration, or `\"off\"`".to_owned(),
        "String" | "NoProxy" | "Secret" => "a text".to_owned(),
        "Proxy" => "a URL".to_owned(),
        "PathBuf" => "a path".to_owned(),
        "Vec<u16>" => "a list of numbers".to_owned(),
        "Vec<String>" => "a list of texts".to_owned(),
        other => words(other, forms)?,
    })
}

/// The words of an enum, as its form has them for serde.
fn words(wanted: &str, forms: &[Item]) -> Result<String> {
    let found = forms.iter().find_map(|item| match item {
        Item::Enum(item) if serde(&item.attrs, "remote").is_some_and(|of| of == wanted) => Some(item),
        _ => None,
    });
    let Some(found) = found else { bail!("{wanted} is a type that xtask/src/settings.rs does not know; tell it") };
    let kebab = serde(&found.attrs, "rename_all").is_some_and(|case| case == "kebab-case");
    let word = |variant: &Variant| {
        serde(&variant.attrs, "rename").unwrap_or_else(|| {
            let name = variant.ident.to_string();
            if kebab { kebab_case(&name) } else { name }
        })
    };
    let words: Vec<_> = found.variants.iter().map(|variant| format!("`\"{}\"`", word(variant))).collect();
    Ok(match words.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => bail!("{wanted} has no values"),
    })
}

/// What an attribute of serde says about `key`.
fn serde(attrs: &[Attribute], key: &str) -> Option<String> {
    let mut said = None;
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("serde")) {
        // What it cannot read says nothing about the key.
        let _ = attr.parse_nested_meta(|meta| {
            let value = meta.value()?.parse::<syn::LitStr>()?.value();
            if meta.path.is_ident(key) {
                said = Some(value);
            }
            Ok(())
        });
    }
    said
}

fn kebab_case(name: &str) -> String {
    let parted = |(at, c): (usize, char)| {
        let dash = (at > 0 && c.is_uppercase()).then_some('-');
        dash.into_iter().chain(c.to_lowercase())
    };
    name.chars().enumerate().flat_map(parted).collect()
}

/// The documentation, on one line, with links to code turned into code.
fn meaning(attrs: &[Attribute]) -> String {
    let lines = attrs.iter().filter_map(|attr| match &attr.meta {
        Meta::NameValue(meta) if meta.path.is_ident("doc") => match &meta.value {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Str(text) => Some(text.value().trim().to_owned()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    });
    lines.collect::<Vec<_>>().join(" ").replace("[`", "`").replace("`]", "`").replace('|', "\\|")
}
