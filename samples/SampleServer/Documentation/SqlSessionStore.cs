using System.Data.Common;
using CoAP;

namespace SampleServer;

/// <summary>Keeps the sessions of one server in tables that several servers can share, as the page "DTLS" shows it.</summary>
/// <remarks>
/// CREATE TABLE owners (server VARCHAR(100) PRIMARY KEY, run VARCHAR(40) NOT NULL);
/// CREATE TABLE sessions (server VARCHAR(100), id VARCHAR(400), generation INTEGER NOT NULL, content BYTEA NOT NULL, PRIMARY KEY (server, id))
/// </remarks>
/// <param name="database">The database.</param>
/// <param name="secret">The secret that encrypts the sessions.</param>
/// <param name="server">The name of the server. Two servers that run at the same time need different ones.</param>
internal sealed class SqlSessionStore(DbDataSource database, byte[] secret, string server) : IDtlsSessionStore
{
    private readonly string _run = Guid.NewGuid().ToString();

    public IReadOnlyList<DtlsSessionState> TakeOver()
    {
        using var connection = database.OpenConnection();
        using var transaction = connection.BeginTransaction();
        Execute(
            connection, transaction, "INSERT INTO owners (server, run) VALUES (@server, @run) ON CONFLICT (server) DO UPDATE SET run = excluded.run",
            ("server", server), ("run", _run));
        var taken = new List<DtlsSessionState>();
        foreach (var session in Read(connection, transaction))
        {
            if (session.TakeOver() is not { } next)
            {
                Execute(connection, transaction, "DELETE FROM sessions WHERE server = @server AND id = @id", ("server", server), ("id", session.Id));
                continue;
            }
            var changed = Execute(
                connection, transaction, "UPDATE sessions SET generation = @next, content = @content WHERE server = @server AND id = @id AND generation = @generation",
                ("next", next.Generation), ("content", next.Encrypt(secret)), ("server", server), ("id", session.Id), ("generation", session.Generation));
            if (changed == 1) { taken.Add(next); }
        }
        transaction.Commit();
        return taken;
    }

    public void Save(DtlsSessionState session)
    {
        using var connection = database.OpenConnection();
        var changed = Execute(
            connection, null, """
            INSERT INTO sessions (server, id, generation, content)
            SELECT @server, @id, @generation, @content WHERE EXISTS (SELECT 1 FROM owners WHERE server = @server AND run = @run)
            ON CONFLICT (server, id) DO UPDATE SET generation = excluded.generation, content = excluded.content WHERE sessions.generation <= excluded.generation
            """,
            ("server", server), ("run", _run), ("id", session.Id), ("generation", session.Generation), ("content", session.Encrypt(secret)));
        if (changed == 0) { throw new InvalidOperationException($"Another process has taken over the DTLS sessions of '{server}'. Each server needs a name of its own."); }
    }

    public void Remove(string id) => Remove(id, int.MaxValue);

    public void Remove(string id, int generation)
    {
        using var connection = database.OpenConnection();
        Execute(
            connection, null, "DELETE FROM sessions WHERE server = @server AND id = @id AND generation <= @generation",
            ("server", server), ("id", id), ("generation", generation));
    }

    public void Flush()
    {
    }

    private List<DtlsSessionState> Read(DbConnection connection, DbTransaction transaction)
    {
        using var command = connection.CreateCommand();
        (command.Transaction, command.CommandText) = (transaction, "SELECT content FROM sessions WHERE server = @server");
        Add(command, ("server", server));
        using var reader = command.ExecuteReader();
        var sessions = new List<DtlsSessionState>();
        while (reader.Read()) { sessions.Add(DtlsSessionState.Decrypt((byte[])reader[0], secret)); }
        return sessions;
    }

    private static int Execute(DbConnection connection, DbTransaction? transaction, string text, params IEnumerable<(string Name, object Value)> parameters)
    {
        using var command = connection.CreateCommand();
        (command.Transaction, command.CommandText) = (transaction, text);
        Add(command, parameters);
        return command.ExecuteNonQuery();
    }

    private static void Add(DbCommand command, params IEnumerable<(string Name, object Value)> parameters)
    {
        foreach (var (name, value) in parameters)
        {
            var parameter = command.CreateParameter();
            (parameter.ParameterName, parameter.Value) = (name, value);
            command.Parameters.Add(parameter);
        }
    }
}
