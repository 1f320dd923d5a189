namespace CoAP.Dtls;

/// <summary>Whether a key store has read the name of the server. The name is then part of the identity of the client. Safe for concurrent use.</summary>
internal sealed class NameUse
{
    private volatile bool _isUsed;

    public bool IsUsed => _isUsed;

    public void Note() => _isUsed = true;
}
