using System.Globalization;
using System.Net;
using System.Text;
using CoAP.Observing;
using CoAP.Vocabulary;

namespace CoAP;

/// <summary>Stores observations in a text file, one line each. After changes it replaces the file in one step.</summary>
/// <remarks>Safe for concurrent use within one process. Malformed lines are ignored. The file contains the addresses of clients, so only the owner of the
/// file can read it after the store has written it. A link-local address is stored with the name of its network interface, because numbers
/// change. If the interface is missing when the file is read, the server drops the observation and logs it.</remarks>
public sealed class FileObserverStore : IObserverStore
{
    private const int Fields = 6;
    private const int FieldsBefore0_3 = 5;      // without the format
    private const string NamePrefix = "name:";
    private const string ZonePrefix = "zone:";      // before 0.3, the number of the interface was within the address

    // All numbers have the same width. A new one must not be refused because the share of the account is used up.
    private const string NumberFormat = "D19";
    private const string ContentFormatFormat = "D5";
    private const string NoContentFormat = "-----";
    private const string UnknownContentFormat = "?????";

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
        observation.SequenceLimit.ToString(NumberFormat, CultureInfo.InvariantCulture), Convert.ToHexString(observation.Request.Span), Format(observation.ContentFormat));

    private static string Format(int? contentFormat) => contentFormat switch
    {
        null => UnknownContentFormat,
        < 0 => NoContentFormat,
        { } number => number.ToString(ContentFormatFormat, CultureInfo.InvariantCulture),
    };

    // A name may contain spaces, which separate the fields. A secured peer has an address and a name.
    private static string Format(PeerIdentity identity) =>
        identity.IsNone ? "-"
        : identity.Name is not { } name ? FormatAddress(identity)
        : $"{FormatAddress(identity)}{NamePrefix}{Convert.ToHexString(Encoding.UTF8.GetBytes(name))}";

    private static string FormatAddress(in PeerIdentity identity)
    {
        if (identity.ToIPEndPoint() is not { } address) { return ""; }
        if (identity.ScopeId == 0) { return address.ToString(); }
        var bare = new IPEndPoint(new IPAddress(address.Address.GetAddressBytes()), address.Port);
        return $"{bare}{ZonePrefix}{Uri.EscapeDataString(InterfaceNames.NameOf(identity.ScopeId))}";
    }

    private static StoredObserver? TryParse(string line)
    {
        var fields = line.Split(' ');
        string? lost = null;
        try
        {
            return fields.Length is not (Fields or FieldsBefore0_3) ? null : new StoredObserver
            {
                Peer = ParseIdentity(fields[0], ref lost),
                Local = ParseIdentity(fields[1], ref lost),
                Token = new Token(Convert.FromHexString(fields[2].AsSpan().Trim("[]"))),
                SequenceLimit = long.Parse(fields[3], NumberStyles.None, CultureInfo.InvariantCulture),
                Request = Convert.FromHexString(fields[4]),
                ContentFormat = fields.Length == FieldsBefore0_3 ? null : ParseContentFormat(fields[5]),
                LostZone = lost,
            };
        }
        catch (Exception exception) when (exception is FormatException or OverflowException or ArgumentException) { return null; }
    }

    private static int? ParseContentFormat(string text) => text switch
    {
        UnknownContentFormat => null,
        NoContentFormat => -1,
        _ => ushort.Parse(text, NumberStyles.None, CultureInfo.InvariantCulture),
    };

    private static PeerIdentity ParseIdentity(string text, ref string? lost)
    {
        if (text == "-") { return default; }
        var at = text.IndexOf(NamePrefix, StringComparison.Ordinal);
        if (at < 0) { return PeerIdentity.From(ParseAddress(text, ref lost)); }
        var name = Encoding.UTF8.GetString(Convert.FromHexString(text.AsSpan(at + NamePrefix.Length)));
        return at == 0 ? PeerIdentity.From(name) : PeerIdentity.From(ParseAddress(text[..at], ref lost), name);
    }

    private static IPEndPoint ParseAddress(string text, ref string? lost)
    {
        var at = text.IndexOf(ZonePrefix, StringComparison.Ordinal);
        if (at >= 0)
        {
            var name = Uri.UnescapeDataString(text[(at + ZonePrefix.Length)..]);
            return InZone(text[..at], name, InterfaceNames.ZoneOf(name), ref lost);
        }
        at = text.IndexOf('%', StringComparison.Ordinal);
        if (at < 0) { return IPEndPoint.Parse(text); }
        var end = text.IndexOf(']', at) is >= 0 and var bracket ? bracket : text.Length;
        var written = text[(at + 1)..end];
        var zone = !uint.TryParse(written, NumberStyles.None, CultureInfo.InvariantCulture, out var number) ? InterfaceNames.ZoneOf(written)
            : InterfaceNames.NameOf(number).Length > 0 ? number : InterfaceNames.UnknownZone;
        return InZone(text.Remove(at, end - at), written, zone, ref lost);
    }

    // The platform would silently drop a zone that it does not know, and the peer would be on the system's default interface.
    private static IPEndPoint InZone(string text, string name, uint zone, ref string? lost)
    {
        if (zone == InterfaceNames.UnknownZone) { lost = name; }
        var bare = IPEndPoint.Parse(text);
        return new IPEndPoint(new IPAddress(bare.Address.GetAddressBytes(), zone), bare.Port);
    }
}
