using CoAP.Exchanges;

namespace CoAP.Resources;

/// <summary>The authorizers of a resource, or those of a map. A map with an authorizer in one of its resources has this feature, too.</summary>
/// <remarks>Safe for concurrent use.</remarks>
internal sealed class AuthorizerChain : ResourceFeature
{
    private readonly Lock _changing = new();
    private Authorizer[] _all = [];

    /// <summary>The authorizers, in the order in which they are asked.</summary>
    public Authorizer[] All => Volatile.Read(ref _all);

    public static void AddTo(FeatureSet<ResourceFeature> features, Authorizer authorizer)
    {
        features.TryAdd(new AuthorizerChain());
        var authorizers = features.Get<AuthorizerChain>();
        lock (authorizers._changing) { authorizers._all = [.. authorizers._all, authorizer]; }
    }
}
