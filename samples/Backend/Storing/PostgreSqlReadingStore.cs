using Npgsql;
using NpgsqlTypes;

namespace Backend;

/// <summary>Stores readings in a table of PostgreSQL.</summary>
internal sealed class PostgreSqlReadingStore(NpgsqlDataSource source) : IReadingStore
{
    // Two backends that start at the same time create the table one after the other.
    private const string Schema = """
        SELECT pg_advisory_xact_lock(7252);
        CREATE TABLE IF NOT EXISTS readings (
            device text NOT NULL,
            sequence bigint NOT NULL,
            time timestamptz NOT NULL,
            watts double precision NOT NULL,
            PRIMARY KEY (device, sequence));
        """;

    private const string Staging = "CREATE TEMPORARY TABLE IF NOT EXISTS staging (LIKE readings) ON COMMIT DELETE ROWS";
    private const string Copy = "COPY staging (device, sequence, time, watts) FROM STDIN (FORMAT BINARY)";
    private const string Insert = """
        INSERT INTO readings (device, sequence, time, watts) SELECT device, sequence, time, watts FROM staging
        ON CONFLICT (device, sequence) DO NOTHING
        """;

    private const string Newest = "SELECT sequence, time, watts FROM readings WHERE device = $1 ORDER BY sequence DESC LIMIT $2";
    private const string Counts = "SELECT device, count(*), min(sequence), max(sequence) FROM readings GROUP BY device";

    /// <summary>Creates a store. Times that the connection string does not set are short, because devices wait. Connections keep their staging tables.</summary>
    /// <exception cref="InvalidOperationException">The connection string is malformed.</exception>
    public static PostgreSqlReadingStore Connect(string connectionString)
    {
        var defaults = new NpgsqlConnectionStringBuilder { Timeout = 3, CommandTimeout = 5, NoResetOnClose = true };
        try
        {
            var builder = new NpgsqlSlimDataSourceBuilder($"{defaults.ConnectionString};{connectionString}");
            builder.EnableTransportSecurity();
            return new(builder.Build());
        }
        catch (Exception exception) when (exception is ArgumentException or FormatException)
        {
            // Without the exception: it shows parts of the text, such as a password after a semicolon.
            throw new InvalidOperationException(
                $"{BackendSettings.Section}:{nameof(BackendSettings.ConnectionString)} is not a connection string of PostgreSQL, "
                + "such as Host=db;Username=me;Password=…. Quote a password that contains a semicolon.");
        }
    }

    public async Task OpenAsync(CancellationToken cancellationToken)
    {
        await using var connection = await source.OpenConnectionAsync(cancellationToken);
        await using var transaction = await connection.BeginTransactionAsync(cancellationToken);
        await ExecuteAsync(connection, Schema, cancellationToken);
        await transaction.CommitAsync(cancellationToken);
    }

    // Readings go into a staging table first, because COPY has no ON CONFLICT.
    public async Task WriteAsync(ReadOnlyMemory<Report> reports, CancellationToken cancellationToken)
    {
        try
        {
            await using var connection = await source.OpenConnectionAsync(cancellationToken);
            await using var transaction = await connection.BeginTransactionAsync(cancellationToken);
            await ExecuteAsync(connection, Staging, cancellationToken);
            await using (var copy = await connection.BeginBinaryImportAsync(Copy, cancellationToken))
            {
                foreach (var report in reports.Span) { Write(copy, report); }
                await copy.CompleteAsync(cancellationToken);
            }
            await ExecuteAsync(connection, Insert, cancellationToken);
            await transaction.CommitAsync(cancellationToken);
        }
        catch (PostgresException exception) when (exception.SqlState is ['2', '2' or '3', ..])   // the data is wrong, or violates a constraint
        {
            throw new ReadingRejectedException(exception.MessageText, exception);
        }
    }

    public async Task<IReadOnlyList<Reading>> ReadNewestAsync(string device, int count, CancellationToken cancellationToken)
    {
        await using var command = source.CreateCommand(Newest);
        command.Parameters.Add(new() { Value = device });
        command.Parameters.Add(new() { Value = count });
        await using var rows = await command.ExecuteReaderAsync(cancellationToken);
        var readings = new List<Reading>();
        while (await rows.ReadAsync(cancellationToken)) { readings.Add(new(rows.GetInt64(0), rows.GetFieldValue<DateTimeOffset>(1), rows.GetDouble(2))); }
        readings.Reverse();
        return readings;
    }

    public async Task<IReadOnlyList<StoredReadings>> CountAsync(CancellationToken cancellationToken)
    {
        await using var command = source.CreateCommand(Counts);
        await using var rows = await command.ExecuteReaderAsync(cancellationToken);
        var counts = new List<StoredReadings>();
        while (await rows.ReadAsync(cancellationToken)) { counts.Add(new(rows.GetString(0), rows.GetInt64(1), rows.GetInt64(2), rows.GetInt64(3))); }
        return counts;
    }

    // Into a buffer, which is sent when it is full. To await each value would nearly double the cost of a reading.
    private static void Write(NpgsqlBinaryImporter copy, Report report)
    {
        foreach (var reading in report.Readings)
        {
            copy.StartRow();
            copy.Write(report.Device, NpgsqlDbType.Text);
            copy.Write(reading.Sequence, NpgsqlDbType.Bigint);
            copy.Write(reading.Time.UtcDateTime, NpgsqlDbType.TimestampTz);
            copy.Write(reading.Watts, NpgsqlDbType.Double);
        }
    }

    private static async Task ExecuteAsync(NpgsqlConnection connection, string sql, CancellationToken cancellationToken)
    {
        await using var command = new NpgsqlCommand(sql, connection);
        await command.ExecuteNonQueryAsync(cancellationToken);
    }
}
