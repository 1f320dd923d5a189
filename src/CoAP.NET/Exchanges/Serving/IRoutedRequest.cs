namespace CoAP.Exchanges;

/// <summary>What a reply needs to know about the request that it answers.</summary>
internal interface IRoutedRequest
{
    CoapCode Method { get; }

    /// <summary>Where routing led; <see langword="null"/> before the request is routed.</summary>
    RequestRoute? Route { get; }
}
