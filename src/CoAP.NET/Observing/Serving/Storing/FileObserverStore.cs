using System.Globalization;
using System.Net;
using System.Text;
using CoAP.Observing;

namespace CoAP;

/// <summary>Stores observations in a text file, one line each. After changes it replaces the file in one step.</summary>
/// <remarks>Safe for concurrent use within one process. Malformed lines are ignored. The file contains the addresses of clients, so only the owner of the
/// file can read it after the store has written it.</remarks>
public sealed class FileObserverStore : IObserverStore
{
    private const int Fields = 5;
    private const string NamePrefix = "name:";

    // All numbers have the same width. A new one must not be refused because the share of the account is used up.
    private const string NumberFormat = "D19";

    private readonly BoundedStore<ObserverKey, StoredObserver> _observations;
    private readonly string _path;

    /// <summary>Opens the store. Reads the file if it exists; otherwise the first change creates it.</summary>
    /// <param name="path">The file.</param>
    /// <param name="capacity">
    /// The most observations that the store keeps, in a file of at most 64 MiB. The observations of one account use at most as many bytes as are still
    /// free. Further ones are not stored. Default: 100,000.
    /// </param>
    /// <exception cref="IOException">The file cannot be read, is a symbolic link, or is larger than 64 MiB.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The capacity is less than 1.</exception>
    public FileObserverStore(string path, int capacity = 100_000)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        _path = path;
        _observations = new(capacity, "observations", static observation => observation.Key, Format, AccountOf);
        _observations.Read(path, TryParse);
    }

    /// <inheritdoc/>
    public IReadOnlyList<StoredObserver> List() => _observations.List();

    /// <inheritdoc/>
    /// <exception cref="InvalidOperationException">The store has as many observations as its capacity allows, or the account of the client has used up its share of 64 MiB.</exception>
    public void Save(StoredObserver observation) => _observations.Save(observation);

    /// <inheritdoc/>
    public void Remove(PeerIdentity peer, PeerIdentity local, Token token) => _observations.Remove(new(peer, local, token));

    /// <summary>Writes the file if there are changes. A restart at any moment finds either the old or the new file.</summary>
    /// <exception cref="IOException">The file cannot be written.</exception>
    public void Flush() => _observations.Write(_path);

    private static Account AccountOf(StoredObserver observation) => observation.Peer.IsNone ? default : Account.Of(observation.Peer);

    private static string Format(StoredObserver observation) => string.Join(
        ' ', Format(observation.Peer), Format(observation.Local), $"[{observation.Token}]",
        observation.SequenceLimit.ToString(NumberFormat, CultureInfo.InvariantCulture), Convert.ToHexString(observation.Request.Span));

    // A name may contain spaces, which separate the fields. A secured peer has an address and a name.
    private static string Format(PeerIdentity identity) =>
        identity.IsNone ? "-"
        : identity.Name is not { } name ? identity.ToString()
        : $"{identity.ToIPEndPoint()}{NamePrefix}{Convert.ToHexString(Encoding.UTF8.GetBytes(name))}";

    private static StoredObserver? TryParse(string line)
    {
        var fields = line.Split(' ');
        try
        {
            return fields.Length != Fields ? null : new StoredObserver
            {
                Peer = ParseIdentity(fields[0]),
                Local = ParseIdentity(fields[1]),
                Token = new Token(Convert.FromHexString(fields[2].AsSpan().Trim("[]"))),
                SequenceLimit = long.Parse(fields[3], NumberStyles.None, CultureInfo.InvariantCulture),
                Request = Convert.FromHexString(fields[4]),
            };
        }
        catch (Exception exception) when (exception is FormatException or OverflowException or ArgumentException) { return null; }
    }

    private static PeerIdentity ParseIdentity(string text)
    {
        if (text == "-") { return default; }
        var at = text.IndexOf(NamePrefix, StringComparison.Ordinal);
        if (at < 0) { return PeerIdentity.From(IPEndPoint.Parse(text)); }
        var name = Encoding.UTF8.GetString(Convert.FromHexString(text.AsSpan(at + NamePrefix.Length)));
        return at == 0 ? PeerIdentity.From(name) : PeerIdentity.From(IPEndPoint.Parse(text.AsSpan(0, at)), name);
    }
}
