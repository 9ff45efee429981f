//! `httpx cloudinfo`: what clouds have, and what it costs.

use clap::Subcommand;
use httpx_cloudinfo::{CloudInfo, Error, ErrorKind, Product, Provider, Query};

use crate::exit::{Exit, Trouble, story};
use crate::grid::{Column, Shown};
use crate::interrupt;

const EXAMPLES: &str = "\
httpx cloudinfo regions amazon --endpoint https://cloudinfo.example.test
httpx cloudinfo products amazon eu-west-1 --feature gpu --sort price
httpx cloudinfo families google --json";

/// Ask a Cloudinfo server for cloud regions, instance types with their prices, and machine families
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    question: Question,
    /// The server, such as https://host
    #[arg(long, global = true, value_name = "URL", env = "HTTPX_CLOUDINFO_ENDPOINT")]
    endpoint: Option<String>,
    #[command(flatten)]
    shown: Shown,
}

#[derive(Debug, Subcommand)]
enum Question {
    /// The regions of a cloud
    Regions {
        /// amazon, google or azure
        provider: Provider,
    },
    /// The instance types of a region, with their prices
    Products {
        /// amazon, google or azure
        provider: Provider,
        /// The id of the region, such as eu-west-1
        region: String,
        #[command(flatten)]
        filters: Filters,
    },
    /// The machine families of a cloud
    Families {
        /// amazon, google or azure
        provider: Provider,
        /// Only those that have a type with this feature, such as gpu; may be repeated
        #[arg(long = "feature", value_name = "WORD")]
        features: Vec<String>,
    },
}

#[derive(Debug, clap::Args)]
struct Filters {
    /// Only types with this feature, such as gpu; may be repeated
    #[arg(long = "feature", value_name = "WORD")]
    features: Vec<String>,
    /// Only this family or type, such as m5d or c5.large; may be repeated
    #[arg(long = "family", value_name = "NAME")]
    families: Vec<String>,
    /// Only types that a scheduler may use
    #[arg(long)]
    sched: bool,
    /// Only types with NVMe disks
    #[arg(long)]
    nvme: bool,
}

/// Runs `httpx cloudinfo`.
pub(crate) fn run(args: &Args) -> Result<Exit, Trouble> {
    let endpoint = args.endpoint.as_deref().ok_or_else(|| {
        Trouble::usage("which Cloudinfo? say --endpoint https://host, or set HTTPX_CLOUDINFO_ENDPOINT")
    })?;
    let cloud = CloudInfo::open(endpoint).map_err(|error| Trouble::usage(story(&error)))?;
    interrupt::run(answer(&cloud, args))
}

async fn answer(cloud: &CloudInfo, args: &Args) -> Result<Exit, Trouble> {
    match &args.question {
        Question::Regions { provider } => {
            let page = args.shown.page([Column::text("region"), Column::text("name")])?;
            let regions = cloud.regions(*provider).await.map_err(told)?;
            let rows = regions.iter().map(|region| [region.id.clone(), region.name.clone()]).collect();
            page.print(&regions, rows, ("region", ""))
        }
        Question::Products { provider, region, filters } => {
            let page = args.shown.page(PRODUCT)?;
            let products = cloud.products(*provider, region, &filters.query()).await.map_err(told)?;
            let rows = products.products.iter().map(row).collect();
            let note = "; memory in GiB, 0 is not known; USD an hour, spot in the cheapest zone";
            page.print(&products, rows, ("instance type", note))
        }
        Question::Families { provider, features } => {
            let page = args.shown.page([Column::text("family")])?;
            let families = cloud.families(*provider, features).await.map_err(told)?;
            let rows = families.iter().map(|family| [family.clone()]).collect();
            page.print(&families, rows, ("family name", ""))
        }
    }
}

const PRODUCT: [Column; 8] = [
    Column::text("type"),
    Column::text("category"),
    Column::number("cpus"),
    Column::number("memory"),
    Column::number("gpus"),
    Column::number("price"),
    Column::number("spot"),
    Column::text("network"),
];

fn row(product: &Product) -> [String; 8] {
    let spots = product.spot_price.iter().flatten().map(|spot| spot.price);
    [
        product.instance_type.clone(),
        product.category.clone(),
        product.cpus_per_vm.to_string(),
        product.mem_per_vm.to_string(),
        product.gpus_per_vm.to_string(),
        product.on_demand_price.to_string(),
        spots.min_by(f64::total_cmp).map_or_else(String::new, |price| price.to_string()),
        product.ntw_perf.clone(),
    ]
}

impl Filters {
    fn query(&self) -> Query {
        let mut query = Query::new().features(&self.features).families(&self.families);
        if self.sched {
            query = query.sched();
        }
        if self.nvme {
            query = query.nvme();
        }
        query
    }
}

/// A server that refuses has answered; one that says 204 has not, and where no region can be, nobody is asked.
fn told(error: Error) -> Trouble {
    match error.kind() {
        ErrorKind::Region(_) => Trouble::usage(story(&error)),
        ErrorKind::Status { status, .. } if status.as_u16() >= 400 => Trouble::refused(story(&error)),
        _ => Trouble::failed(story(&error)),
    }
}
