using System.Data.Common;
using CoAP;

namespace SampleServer;

/// <summary>Keeps the sessions of one endpoint in a table, as the page "DTLS" shows it.</summary>
/// <remarks>CREATE TABLE sessions (id VARCHAR(400) PRIMARY KEY, generation INTEGER NOT NULL, content BYTEA NOT NULL)</remarks>
internal sealed class SqlSessionStore(DbDataSource database, byte[] secret) : IDtlsSessionStore
{
    public IReadOnlyList<DtlsSessionState> TakeOver()
    {
        using var connection = database.OpenConnection();
        using var transaction = connection.BeginTransaction();
        var taken = new List<DtlsSessionState>();
        foreach (var session in Read(connection, transaction))
        {
            if (session.TakeOver() is not { } next)
            {
                Execute(connection, transaction, "DELETE FROM sessions WHERE id = @id", ("id", session.Id));
                continue;
            }
            var changed = Execute(
                connection, transaction, "UPDATE sessions SET generation = @next, content = @content WHERE id = @id AND generation = @generation",
                ("next", next.Generation), ("content", next.Encrypt(secret)), ("id", session.Id), ("generation", session.Generation));
            if (changed == 1) { taken.Add(next); }
        }
        transaction.Commit();
        return taken;
    }

    public void Save(DtlsSessionState session)
    {
        using var connection = database.OpenConnection();
        Execute(
            connection, null, """
            INSERT INTO sessions (id, generation, content) VALUES (@id, @generation, @content)
            ON CONFLICT (id) DO UPDATE SET generation = excluded.generation, content = excluded.content WHERE sessions.generation <= excluded.generation
            """,
            ("id", session.Id), ("generation", session.Generation), ("content", session.Encrypt(secret)));
    }

    public void Remove(string id)
    {
        using var connection = database.OpenConnection();
        Execute(connection, null, "DELETE FROM sessions WHERE id = @id", ("id", id));
    }

    public void Flush()
    {
    }

    private List<DtlsSessionState> Read(DbConnection connection, DbTransaction transaction)
    {
        using var command = connection.CreateCommand();
        (command.Transaction, command.CommandText) = (transaction, "SELECT content FROM sessions");
        using var reader = command.ExecuteReader();
        var sessions = new List<DtlsSessionState>();
        while (reader.Read()) { sessions.Add(DtlsSessionState.Decrypt((byte[])reader[0], secret)); }
        return sessions;
    }

    private static int Execute(DbConnection connection, DbTransaction? transaction, string text, params IEnumerable<(string Name, object Value)> parameters)
    {
        using var command = connection.CreateCommand();
        (command.Transaction, command.CommandText) = (transaction, text);
        foreach (var (name, value) in parameters)
        {
            var parameter = command.CreateParameter();
            (parameter.ParameterName, parameter.Value) = (name, value);
            command.Parameters.Add(parameter);
        }
        return command.ExecuteNonQuery();
    }
}
