using CoAP.Exchanges;

namespace CoAP.Observing;

/// <summary>The last messages to a client that are settled. The network can duplicate the replies to them, or deliver the replies late.</summary>
/// <remarks>
/// A late Reset ends an observation only if it rejects one of the last messages: each further one would be another ID for an attacker to guess. A mutable
/// structure. A field of this type must not be readonly.
/// </remarks>
internal struct SettledMessages
{
    private const int Most = 8;
    private const int MostRejected = 2;

    private (MessageId Id, IUnsettled? Sender)[]? _last;
    private int _next;
    private int _count;

    /// <param name="messageId">The message ID.</param>
    /// <param name="sender">Gets a late Reset of the message; <see langword="null"/> if it would be ignored.</param>
    public void Add(MessageId messageId, IUnsettled? sender)
    {
        _last ??= new (MessageId, IUnsettled?)[Most];
        _last[_next] = (messageId, sender);
        (_next, _count) = ((_next + 1) % Most, Math.Min(_count + 1, Most));
    }

    /// <summary>Returns whether one of the last messages had this ID.</summary>
    /// <param name="messageId">The message ID.</param>
    /// <param name="sender">Gets a late Reset of the message; <see langword="null"/> if the Reset is ignored.</param>
    public readonly bool TryFind(MessageId messageId, out IUnsettled? sender)
    {
        sender = null;
        for (var i = 0; i < _count; i++)
        {
            if (_last![i].Id != messageId) { continue; }
            var age = (_next - 1 - i + Most) % Most;
            sender = age < MostRejected ? _last[i].Sender : null;
            return true;
        }
        return false;
    }
}
