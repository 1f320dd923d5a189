using CoAP.Options;

namespace CoAP.Exchanges;

/// <summary>Decides how much may be sent to an address that could be forged (RFC 9175, section 2.4).</summary>
internal interface IAddressVerification
{
    /// <summary>The number of bytes that may always be sent.</summary>
    int MinAllowance { get; }

    /// <summary>How long an address stays verified, in ticks of 100 ns.</summary>
    long Lifetime { get; }

    /// <summary>Returns whether the peer has proven that it receives messages at its address.</summary>
    bool IsVerified(in PeerIdentity peer);

    /// <summary>Records that the peer has proven that it receives messages at its address.</summary>
    void Verify(in PeerIdentity peer);

    /// <summary>Returns a 4.01 response with a new Echo value. The client proves its address by repeating the request with that value.</summary>
    CoapResponse Challenge(in PeerIdentity peer);

    /// <summary>Returns a new Echo value for a response to the peer.</summary>
    Echo Mint(in PeerIdentity peer);

    /// <summary>Returns the number of bytes that may be sent in answer to a datagram of this length.</summary>
    int AllowanceFor(in PeerIdentity peer, int datagramLength);
}
