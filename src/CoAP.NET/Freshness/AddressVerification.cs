using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Options;

namespace CoAP.Freshness;

/// <summary>Which peers of a lane receive what is sent to their addresses, and how much may be sent to the others (RFC 9175, section 2.4, item 3).</summary>
internal sealed class AddressVerification(LaneContext lane, AmplificationSettings settings, EndpointEchoes echoes) : IAddressVerification
{
    private readonly VerifiedPeers _verified = new(settings.MaxVerifiedPeers);

    /// <summary>What may be sent to anybody in answer to a datagram.</summary>
    public int LeastAllowance => settings.LeastAllowance;

    /// <summary>The places for peers; none as long as nobody was verified.</summary>
    public int Places => _verified.Places;

    /// <summary>How long a verification holds, in ticks.</summary>
    public long Lifetime => settings.VerifiedFor.Ticks;

    /// <summary>Whether anything may be sent to the peer.</summary>
    public bool IsVerified(in PeerIdentity peer) => IsExempt(peer) || _verified.Contains(peer.Hash(lane.HashKey), lane.Now);

    /// <summary>The peer has shown that it has received something that nobody else can know.</summary>
    public void Verify(in PeerIdentity peer)
    {
        if (!IsExempt(peer)) { _verified.Add(peer.Hash(lane.HashKey), lane.Now + Lifetime); }
    }

    /// <summary>The bytes that may be sent in answer to a datagram, all of them together: headers, the acknowledgement, each transmission.</summary>
    public int AllowanceFor(in PeerIdentity peer, int datagramLength) =>
        IsVerified(peer) ? int.MaxValue : Math.Max(settings.LeastAllowance, settings.Factor * datagramLength);

    private bool IsExempt(in PeerIdentity peer) => !settings.IsLimited || (settings.ExemptsLoopback && peer.IsLoopback);

    public CoapResponse Challenge(in PeerIdentity peer) => echoes.Challenge(peer, lane);

    public Echo Mint(in PeerIdentity peer) => echoes.Mint(peer, lane);
}
