namespace CoAP.Transports;

/// <summary>Tells the observer of a network what happens in one direction of a connection.</summary>
internal sealed class ConnectionWatch(Action<InMemoryConnectionEvent> observer, int number, PeerIdentity from, PeerIdentity to)
{
    public void Opened() => Tell(InMemoryConnectionEventKind.Opened, default);

    public void Sent(ReadOnlySpan<byte> bytes) => Tell(InMemoryConnectionEventKind.Sent, bytes.ToArray());

    public void Ended(bool isBroken) => Tell(isBroken ? InMemoryConnectionEventKind.Broken : InMemoryConnectionEventKind.Ended, default);

    private void Tell(InMemoryConnectionEventKind kind, ReadOnlyMemory<byte> bytes) => observer(new(number, kind, from, to, bytes));
}
