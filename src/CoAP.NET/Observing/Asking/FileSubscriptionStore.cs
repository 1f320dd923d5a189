using CoAP.Exchanges;
using CoAP.Observing;
using CoAP.Serialization;
using CoAP.Vocabulary;

namespace CoAP;

/// <summary>Stores subscriptions in a text file. Each line holds the request as a datagram in hexadecimal, a space, and the URI.</summary>
/// <remarks>
/// Safe for concurrent use within one process. Each change replaces the file in one step. A malformed line is ignored. Calls block while the file is
/// written. Only its owner can read a file that the store has written. If changes follow each other so quickly that writing would take more
/// than 5 % of the time, they wait and are written together. <see cref="Flush"/> writes them at once, and so does a client that ends. A
/// crash loses them. The zone of a link-local address is stored as the name of the network interface, because its number can be another one
/// after a restart.
/// </remarks>
public sealed class FileSubscriptionStore : ISubscriptionStore
{
    private const int RestFactor = 20;

    private static readonly TimeSpan LongestRest = TimeSpan.FromSeconds(30);

    private readonly BoundedStore<Token, StoredSubscription> _subscriptions;
    private readonly RestingWriter _writer;

    /// <summary>Opens the store. Reads the file if it exists.</summary>
    /// <param name="path">The file. Its folder must exist.</param>
    /// <param name="capacity">The most subscriptions that the store keeps, in a file of at most 64 MiB. Default: 1,000.</param>
    /// <exception cref="IOException">The file cannot be read, is a symbolic link, or is larger than 64 MiB.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The capacity is less than 1.</exception>
    public FileSubscriptionStore(string path, int capacity = 1000)
        : this(path, capacity, TimeProvider.System)
    {
    }

    internal FileSubscriptionStore(string path, int capacity, TimeProvider time)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        path = Path.GetFullPath(path);
        _subscriptions = new(capacity, "subscriptions", static subscription => subscription.Token, Format);
        _subscriptions.Read(path, TryParse);
        _writer = new RestingWriter(() => _subscriptions.Write(path), new JournalRest(time, RestFactor, LongestRest));
    }

    /// <inheritdoc/>
    /// <exception cref="IOException">The file cannot be written.</exception>
    public void Save(StoredSubscription subscription)
    {
        _subscriptions.Save(subscription);
        _writer.OnChanged();
    }

    /// <inheritdoc/>
    /// <exception cref="IOException">The file cannot be written.</exception>
    public void Remove(Token token)
    {
        _subscriptions.Remove(token);
        _writer.OnChanged();
    }

    /// <inheritdoc/>
    /// <exception cref="IOException">The file cannot be written.</exception>
    public void Flush() => _writer.Flush();

    /// <inheritdoc/>
    public IReadOnlyList<StoredSubscription> List() => _subscriptions.List();

    private static string Format(StoredSubscription subscription)
    {
        var type = subscription.IsConfirmable ? MessageType.Confirmable : MessageType.NonConfirmable;
        var message = new CoapMessage(type, subscription.Method, default, subscription.Token, subscription.Options, subscription.Payload);
        return $"{Convert.ToHexStringLower(CoapMessageSerializer.Datagram.Serialize(message))} {WithNamedZone(subscription.Uri)}";
    }

    // Discovered links have the number of the interface.
    private static string WithNamedZone(string text)
    {
        var percent = text.IndexOf('%', StringComparison.Ordinal);
        if (percent < 0 || percent > text.IndexOf(']', StringComparison.Ordinal)) { return text; }
        if (!CoapUri.TryParse(text, out var uri, out _) || uri.Zone is not { } zone) { return text; }
        if (zone.AsSpan().ContainsAnyExceptInRange('0', '9')) { return text; }
        var name = InterfaceNames.NameOf((uint)uri.Address!.ScopeId);
        if (name.Length == 0) { return text; }
        return new CoapUri(uri.Scheme, uri.HostName with { Zone = name }, uri.Port, uri.Segments, uri.Arguments).ToString();
    }

    private static StoredSubscription? TryParse(string line)
    {
        var space = line.IndexOf(' ');
        if (space < 0 || space % 2 != 0) { return null; }
        var bytes = new byte[space / 2];
        if (Convert.FromHexString(line.AsSpan(0, space), bytes, out _, out _) != System.Buffers.OperationStatus.Done) { return null; }
        if (!CoapMessageSerializer.Datagram.TryRead(bytes, out var message, out _, out _) || !message.Code.IsRequest) { return null; }
        var subscription = new StoredSubscription(line[(space + 1)..], message.Code, message.Token)
        {
            Options = message.Options,
            Payload = message.Payload,
            IsConfirmable = message.Type == MessageType.Confirmable,
        };
        return CanBeObserved(subscription) ? subscription : null;
    }

    // Otherwise, one line that no client has written would make the restoration of all others fail.
    private static bool CanBeObserved(StoredSubscription subscription)
    {
        try
        {
            RequestTarget.OfOne(CoapObservation.Validate(subscription.ToRequest()));
            return true;
        }
        catch (Exception exception) when (exception is FormatException or ArgumentException) { return false; }
    }
}
