namespace CoAP.Dtls;

/// <summary>What the application says about clients that begin a new session.</summary>
/// <param name="Continues">Whether a new session of a client continues its last one; <see langword="null"/> if none does.</param>
/// <param name="OnContinued">Called when a session has continued another; may be <see langword="null"/>.</param>
internal sealed record Renewals(Func<PeerCredentials, bool>? Continues, Action<PeerRenewal>? OnContinued);
