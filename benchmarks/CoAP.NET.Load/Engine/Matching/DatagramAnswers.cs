using System.Buffers.Binary;

namespace CoAP.Load;

/// <summary>What a received datagram is replied with.</summary>
internal enum Reaction
{
    None,
    Acknowledge,
    Reset,
}

/// <summary>Checks what a server sends over UDP against the requests that are outstanding.</summary>
/// <remarks>
/// A piggybacked answer has the request's socket, token and message ID, a separate one its socket and token (RFC 7252, section 5.3.2). A confirmable
/// one is acknowledged even if it matches nothing any more: it may be a repetition of one that did (section 4.2). A ping gets a Reset (section 4.3).
/// </remarks>
internal sealed class DatagramAnswers(LoadSettings settings, RequestTable requests, Tallies tallies)
{
    private const int Header = 4, Version = 1, LongestToken = 8;
    private const int Confirmable = 0, Acknowledgement = 2, ResetMessage = 3;

    /// <summary>Takes a datagram.</summary>
    /// <param name="peer">The socket that it came to.</param>
    /// <param name="datagram">Its bytes.</param>
    /// <param name="now">When it came.</param>
    /// <param name="finished">The slot whose request it ends, or -1.</param>
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
        if (slot < 0 || !Fits(requests[slot], type, id))
        {
            tallies.Current.Strays++;
        }
        else
        {
            finished = slot;
            Count(requests[slot], type, code, datagram.Length, now, tallies.For(requests[slot]));
        }

        return type == Confirmable ? Reaction.Acknowledge : Reaction.None;
    }

    private void Count(in Slot slot, int type, byte code, int length, long now, Tally to)
    {
        if (type != Acknowledgement && settings.IsConfirmable) { to.Separate++; }
        to.Bytes += length;
        to.Answered(settings.Method, code, now - slot.Since);
    }

    private bool Fits(in Slot slot, int type, ushort id) => type switch
    {
        Acknowledgement => settings.IsConfirmable && slot.MessageId == id,
        ResetMessage => false,
        _ => true,
    };

    private Reaction TakeEmpty(int peer, int type, ushort id, out int finished)
    {
        finished = -1;
        var slot = type is Acknowledgement or ResetMessage ? requests.FindMessageId(peer, id) : -1;
        if (slot < 0 || (type == Acknowledgement && !settings.IsConfirmable)) { tallies.Current.Strays++; }
        else if (type == Acknowledgement) { requests[slot].IsAcknowledged = true; }
        else
        {
            tallies.For(requests[slot]).Resets++;
            finished = slot;
        }

        return type == Confirmable ? Reaction.Reset : Reaction.None;
    }
}
