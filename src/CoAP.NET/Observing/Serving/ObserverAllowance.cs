using CoAP.Freshness;
using CoAP.Serialization;

namespace CoAP.Observing;

/// <summary>The bytes that an observation may still send to an unverified address (RFC 9175, section 2.4, item 3).</summary>
/// <remarks>
/// An acknowledgement does not verify an address, because its message ID of 16 bits can be guessed. It only adds credit for the next notification. A
/// wrong guess starts a new epoch, which cancels the credit of all observations of the peer: each observation checks the epoch of its credit before
/// it uses the credit. A mutable structure. A field of this type must not be readonly.
/// </remarks>
/// <param name="bytes">The bytes that the request allows.</param>
/// <param name="lastMessage">The bytes that are reserved for the last message.</param>
internal struct ObserverAllowance(int bytes, int lastMessage)
{
    // In bytes: the header, Max-Age 0 and an Echo value of this library. The Echo value is the longest option of a last message.
    private const int RoomBesideToken = DatagramHeader.Length + 2 + 2 + EchoIssuer.Length;

    private readonly int _lastMessage = lastMessage;
    private int _bytes = bytes;
    private int _credit;        // the part of the bytes that the last acknowledgement has added
    private uint _epoch;        // the epoch of the credit

    /// <summary>Returns the size of the last message of an observation in bytes: a 4.01 with Max-Age and Echo.</summary>
    public static int LastMessageOf(Token token) => RoomBesideToken + TokenFormat.ExtendedLength(token.Length) + token.Length;

    /// <summary>Returns the number of bytes that may be sent now, including those reserved for the last message.</summary>
    /// <param name="epoch">The epoch of the peer.</param>
    public int At(uint epoch)
    {
        if (_epoch == epoch) { return _bytes; }
        _bytes -= _credit;
        (_credit, _epoch) = (0, epoch);
        return _bytes;
    }

    /// <summary>Returns <see langword="true"/> if a notification of a size may be sent.</summary>
    public bool Allows(int size, uint epoch) => size <= At(epoch) - _lastMessage;

    /// <summary>Counts the bytes of a message that is sent.</summary>
    public void Spend(int size)
    {
        _bytes -= size;
        _credit = Math.Max(0, _credit - size);
    }

    /// <summary>Counts the bytes of the response to the registration. A separate response counts with the empty acknowledgement and its retransmissions.</summary>
    /// <param name="size">The size of the response.</param>
    /// <param name="retransmissions">The number of retransmissions of a separate response; 0 for a piggybacked one.</param>
    /// <remarks>A separate response that does not fit with its retransmissions is sent once.</remarks>
    public void SpendRegistration(int size, int retransmissions)
    {
        if (retransmissions == 0) { Spend(size); }
        else
        {
            var total = DatagramHeader.Length + (size * (1 + retransmissions));
            Spend(total <= _bytes ? total : DatagramHeader.Length + size);
        }
    }

    /// <summary>Adds the credit of an acknowledgement.</summary>
    /// <param name="least">The bytes that may be sent to any address.</param>
    /// <param name="epoch">The epoch of the peer.</param>
    public void Earn(int least, uint epoch)
    {
        _credit = Math.Max(0, least + _lastMessage - At(epoch));
        _bytes += _credit;
    }
}
