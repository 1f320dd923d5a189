namespace CoAP.Observing;

/// <summary>The key of a stored observation: the client, the local port that it uses, and the token.</summary>
internal readonly record struct ObserverKey(PeerPlace Client, Token Token) : ISeededKey
{
    public ObserverKey(in PeerIdentity peer, in PeerIdentity local, in Token token)
        : this(new PeerPlace(peer, local.Port), token)
    {
    }

    public override int GetHashCode() => SeededHash.Combine(Client.GetHashCode(), Token.GetHashCode());
}
