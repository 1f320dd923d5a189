using CoAP.Accounting;

namespace CoAP.Transports;

/// <summary>Charges the account of a peer for the memory that one WebSocket holds. The length of a message is unknown until the message is complete.</summary>
internal sealed class WebSocketCharge(InputRoom room, in Account account)
{
    private readonly Account _account = account;
    private long _size;

    /// <summary>Whether the account uses more than half of its share, so that messages must arrive quickly.</summary>
    public bool IsScarce => room.Book.IsScarceFor(_account);

    /// <summary>Charges more memory. Returns <see langword="false"/> if the account would exceed its share.</summary>
    public bool TryGrow(long bytes)
    {
        if (!room.TryGrow(_account, _size, _size + bytes)) { return false; }
        _size += bytes;
        return true;
    }

    /// <summary>Ends a part of the charge.</summary>
    public void Shrink(long bytes)
    {
        if (bytes == 0) { return; }
        room.Shrink(_account, _size, _size - bytes);
        _size -= bytes;
    }
}
