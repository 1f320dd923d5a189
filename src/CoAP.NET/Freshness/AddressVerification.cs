using CoAP.Exchanges;
using CoAP.Options;

namespace CoAP.Freshness;

/// <summary>Remembers the verified addresses of a lane's peers, and limits what is sent to the others (RFC 9175, section 2.4, item 3).</summary>
internal sealed class AddressVerification(ExchangeLane lane, AmplificationSettings settings, EndpointEchoes echoes) : IAddressVerification
{
    private readonly VerifiedPeers _verified = new(settings.MaxVerifiedPeers);

    /// <summary>The bytes that may be sent to any address in answer to a datagram.</summary>
    public int MinAllowance => settings.MinAllowance;

    /// <summary>The number of places for peers; 0 until a peer has been verified.</summary>
    public int Places => _verified.Places;

    /// <summary>How long an address stays verified, in ticks.</summary>
    public long Lifetime => settings.VerificationLifetime.Ticks;

    /// <summary>Returns <see langword="true"/> if there is no limit for the peer.</summary>
    public bool IsVerified(in PeerIdentity peer) => IsExempt(peer) || _verified.Contains(peer.Hash(lane.HashKey), lane.Now);

    /// <summary>Marks the peer's address as verified: the peer has returned a value that was sent to this address.</summary>
    public void Verify(in PeerIdentity peer)
    {
        if (IsExempt(peer)) { return; }
        var (hash, until) = (peer.Hash(lane.HashKey), lane.Now + Lifetime);
        if (_verified.TryExtend(hash, until)) { return; }
        var owner = lane.Ledger.AccountOf(peer, credentials: null, isVerified: true).Widest;
        _verified.Add(hash, (uint)owner.GetHashCode(), until, lane.Now);
    }

    /// <summary>Returns the bytes that may be sent in answer to a datagram, including headers, the acknowledgement and retransmissions.</summary>
    public int AllowanceFor(in PeerIdentity peer, int datagramLength) =>
        IsVerified(peer) ? int.MaxValue : Math.Max(settings.MinAllowance, settings.Factor * datagramLength);

    // The senders of datagrams have names only in an in-memory network, which is within this process.
    private bool IsExempt(in PeerIdentity peer) => !settings.IsLimited || (settings.ExemptsLoopback && (peer.IsLoopback || peer.IsName));

    public CoapResponse Challenge(in PeerIdentity peer) => echoes.Challenge(peer, lane);

    public Echo Mint(in PeerIdentity peer) => echoes.Mint(peer, lane);
}
