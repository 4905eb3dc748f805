"""A data set of Parquet files with everything that runs recorded, which is kept up to date and queried with SQL."""
