using CoAP.Options;

namespace CoAP.Caching;

/// <summary>A response that is stored or may be stored.</summary>
internal sealed record StoredResponse(CoapCode Code, OptionSet Options, ReadOnlyMemory<byte> Payload, PeerIdentity Source)
{
    /// <summary>The time in seconds for which the response is fresh (RFC 7252, section 5.10.5).</summary>
    public uint MaxAge => CoAP.Options.MaxAge.Of(Options);

    /// <summary>The entity tag for validation. Errors cannot be validated (RFC 7252, sections 5.9.2 and 5.9.3).</summary>
    public ETag? Tag => Code == ResponseCode.Content ? Options.Get<ETag>() : null;

    /// <summary>
    /// Whether the response only says when to ask again. Its Max-Age is not the age of a representation (RFC 7252, section 5.9.3.4;
    /// RFC 8516, section 3), and the client limits that time.
    /// </summary>
    public bool IsRefusal => Code == ResponseCode.ServiceUnavailable || Code == ResponseCode.TooManyRequests;

    /// <summary>
    /// Whether the response may be stored: 2.05 or an error, and neither a refusal, nor a part of a body, nor meant for one request
    /// (RFC 7252, section 5.9).
    /// </summary>
    public bool IsCacheable =>
        (Code == ResponseCode.Content || Code.IsClientError || Code.IsServerError)
        && !IsRefusal && (MaxAge > 0 || Tag is not null) && !IsPart && !Options.Contains<Echo>() && !Options.Contains<Oscore>();

    private bool IsPart => Options.Get<Block2>() is { } block && (block.HasMore || block.BlockNumber > 0) || (Options.Seen & BlockOption.OtherBits) != 0;

    /// <summary>Returns the response after a 2.03 has confirmed it (RFC 7252, section 5.9.1.3).</summary>
    public StoredResponse Refreshed(in OptionSet valid)
    {
        var confirmed = valid;
        var maxAge = MaxAgeNumber;
        // The 2.03 sets Max-Age, explicitly or by default. Its other options that are safe to forward replace the stored ones.
        List<CoapOption> options = [.. Options.Where(option => option.Number != maxAge && (option.IsUnsafe || !confirmed.Contains(option.Number)))];
        options.AddRange(confirmed.Where(option => option.Number == maxAge || !option.IsUnsafe));
        return this with { Options = OptionSet.Create([.. options]) };
    }

    /// <summary>Returns the response without options that belong to a single message.</summary>
    public StoredResponse ToStore() => this with { Options = Options.Without(Observe.Declaration.Number).Without(Block2.Declaration.Number) };

    private static int MaxAgeNumber => CoAP.Options.MaxAge.Declaration.Number;
}
