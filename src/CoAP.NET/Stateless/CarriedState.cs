namespace CoAP.Stateless;

/// <summary>The state that the token of a stateless request carries (RFC 8974, section 3).</summary>
/// <param name="Bytes">The state.</param>
internal sealed record CarriedState(ReadOnlyMemory<byte> Bytes);
