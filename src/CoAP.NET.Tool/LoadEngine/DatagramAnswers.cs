using System.Buffers.Binary;

namespace CoAP.Tool.LoadEngine;

/// <summary>The reply to a received datagram.</summary>
internal enum Reaction
{
    None,
    Acknowledge,
    Reset,
}

/// <summary>Checks what a server sends over UDP against the outstanding requests.</summary>
/// <remarks>
/// A piggybacked answer has the request's socket, token and message ID, a separate one its socket and token (RFC 7252, section 5.3.2). A confirmable
/// one is acknowledged even if it matches nothing, because it may repeat one that did (section 4.2). A ping gets a Reset (section 4.3).
/// </remarks>
internal sealed class DatagramAnswers(LoopSettings settings, RequestTable requests, Tallies tallies)
{
    private const int Header = 4, Version = 1, LongestToken = 8;
    private const int Confirmable = 0, Acknowledgement = 2, ResetMessage = 3;

    /// <summary>Takes a datagram from a socket. Sets <paramref name="finished"/> to the slot whose request it ends, or to -1.</summary>
    public Reaction Take(int peer, ReadOnlySpan<byte> datagram, long now, out int finished)
    {
        finished = -1;
        if (datagram.Length < Header || datagram[0] >> 6 != Version || (datagram[0] & 15) > LongestToken || datagram.Length < Header + (datagram[0] & 15))
        {
            tallies.Current.Strays++;
            return Reaction.None;
        }
        var (type, code, id) = ((datagram[0] >> 4) & 3, datagram[1], BinaryPrimitives.ReadUInt16BigEndian(datagram[2..]));
        if (code == 0) { return TakeEmpty(peer, type, id, out finished); }
        var slot = requests.Match(peer, datagram.Slice(Header, datagram[0] & 15));
        if (slot < 0 || !Fits(requests[slot], type, id)) { tallies.Current.Strays++; }
        else
        {
            finished = slot;
            tallies.For(requests[slot]).Answered(settings, code, datagram, now - requests[slot].Since);
        }
        return type == Confirmable ? Reaction.Acknowledge : Reaction.None;
    }

    private bool Fits(in Slot slot, int type, ushort id) => type switch
    {
        Acknowledgement => settings.IsConfirmable && slot.MessageId == id,
        ResetMessage => false,
        _ => true,
    };

    // An empty ACK announces a separate answer and ends the retransmissions of its request. It says nothing more.
    private Reaction TakeEmpty(int peer, int type, ushort id, out int finished)
    {
        finished = type == ResetMessage ? requests.FindMessageId(peer, id) : -1;
        if (type == Acknowledgement && settings.AckTimeout is not null && requests.FindMessageId(peer, id) is >= 0 and var acknowledged)
        {
            requests[acknowledged].IsAcknowledged = true;
        }
        if (finished >= 0) { tallies.For(requests[finished]).Resets++; }
        else if (type != Acknowledgement) { tallies.Current.Strays++; }
        return type == Confirmable ? Reaction.Reset : Reaction.None;
    }
}
