using CoAP.Options;

namespace CoAP.Exchanges;

/// <summary>Decides how much may be sent to an address that may be forged (RFC 9175, section 2.4).</summary>
internal interface IAddressVerification
{
    /// <summary>The bytes that may always be sent.</summary>
    int LeastAllowance { get; }

    /// <summary>How long an address stays verified, in ticks of 100 ns.</summary>
    long Lifetime { get; }

    /// <summary>Whether the peer has shown that it receives what is sent to its address.</summary>
    bool IsVerified(in PeerIdentity peer);

    /// <summary>Records that the peer has shown that it receives what is sent to its address.</summary>
    void Verify(in PeerIdentity peer);

    /// <summary>Returns a 4.01 with a new Echo value, by which the client can show that its address is its own.</summary>
    CoapResponse Challenge(in PeerIdentity peer);

    /// <summary>Returns a new Echo value for a response to the peer.</summary>
    Echo Mint(in PeerIdentity peer);

    /// <summary>Returns the number of bytes that may be sent in answer to a datagram of this length.</summary>
    int AllowanceFor(in PeerIdentity peer, int datagramLength);
}
