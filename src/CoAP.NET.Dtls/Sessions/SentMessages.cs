using CoAP.Serialization;

namespace CoAP.Dtls;

/// <summary>
/// The last messages that a client has sent in a session. Retransmissions without any record from the server show that the server has lost the session.
/// </summary>
internal sealed class SentMessages
{
    private const int Most = 16;
    private const int RepeatsUntilLost = 3;

    private readonly (MessageId Id, bool MayRepeat)[] _last = new (MessageId, bool)[Most];
    private int _count;
    private int _repeats;

    /// <summary>Whether the server seems to have lost the session.</summary>
    public bool IsLost => _repeats >= RepeatsUntilLost;

    /// <summary>Records a record of the server.</summary>
    public void Hear() => _repeats = 0;

    /// <summary>Records a message that is sent.</summary>
    public void Note(ReadOnlySpan<byte> message)
    {
        if (message.Length < DatagramHeader.Length) { return; }
        var id = DatagramHeader.ReadMessageId(message);
        if (Find(id) is not null) { _repeats++; }
        else { _last[_count++ % Most] = (id, MayRepeat(message)); }
    }

    /// <summary>
    /// Returns whether the message is a retransmission that a later session must not carry: the server may have acted on the request, and would do so again.
    /// </summary>
    public bool Forbids(ReadOnlySpan<byte> message) => message.Length >= DatagramHeader.Length && Find(DatagramHeader.ReadMessageId(message)) == false;

    /// <summary>Whether the server may get a request twice (RFC 7252, section 5.1; RFC 8132, section 2).</summary>
    public static bool MayRepeat(ReadOnlySpan<byte> message) => message.Length < DatagramHeader.Length || (message[1] != RequestCode.Post.Value && message[1] != RequestCode.Patch.Value);

    private bool? Find(MessageId id)
    {
        for (var at = 0; at < Math.Min(_count, Most); at++)
        {
            if (_last[at].Id == id) { return _last[at].MayRepeat; }
        }
        return null;
    }
}
