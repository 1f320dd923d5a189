using CoAP.Exchanges;
using CoAP.Observing;
using CoAP.Serialization;

namespace CoAP;

/// <summary>Stores subscriptions in a text file. Each line holds the request as a datagram in hexadecimal, a space, and the URI.</summary>
/// <remarks>
/// Safe for concurrent use within one process. Each change replaces the file in one step. A malformed line is ignored. Calls block while the file is
/// written. Only its owner can read a file that the store has written.
/// </remarks>
public sealed class FileSubscriptionStore : ISubscriptionStore
{
    private readonly BoundedStore<Token, StoredSubscription> _subscriptions;
    private readonly string _path;

    /// <summary>Opens the store. Reads the file if it exists.</summary>
    /// <param name="path">The file. Its folder must exist.</param>
    /// <param name="capacity">The most subscriptions that the store keeps, in a file of at most 64 MiB. Default: 1,000.</param>
    /// <exception cref="IOException">The file cannot be read, is a symbolic link, or is larger than 64 MiB.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The capacity is less than 1.</exception>
    public FileSubscriptionStore(string path, int capacity = 1000)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        _path = Path.GetFullPath(path);
        _subscriptions = new(capacity, "subscriptions", static subscription => subscription.Token, Format);
        _subscriptions.Read(_path, TryParse);
    }

    /// <inheritdoc/>
    /// <exception cref="IOException">The file cannot be written.</exception>
    public void Save(StoredSubscription subscription)
    {
        _subscriptions.Save(subscription);
        _subscriptions.Write(_path);
    }

    /// <inheritdoc/>
    /// <exception cref="IOException">The file cannot be written.</exception>
    public void Remove(Token token)
    {
        _subscriptions.Remove(token);
        _subscriptions.Write(_path);
    }

    /// <inheritdoc/>
    public IReadOnlyList<StoredSubscription> List() => _subscriptions.List();

    private static string Format(StoredSubscription subscription)
    {
        var type = subscription.IsConfirmable ? MessageType.Confirmable : MessageType.NonConfirmable;
        var message = new CoapMessage(type, subscription.Method, default, subscription.Token, subscription.Options, subscription.Payload);
        return $"{Convert.ToHexStringLower(CoapMessageSerializer.Datagram.Serialize(message))} {subscription.Uri}";
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
