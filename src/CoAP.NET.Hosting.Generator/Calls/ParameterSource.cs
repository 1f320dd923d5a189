namespace CoAP.Hosting.Generation.Calls;

/// <summary>Where the value of a parameter comes from.</summary>
internal enum ParameterSource
{
    /// <summary>The request itself or a property of it: <see cref="HandlerParameter.Expression"/>.</summary>
    Request,

    /// <summary>A value in the path or the query.</summary>
    Argument,

    /// <summary>All values of a query argument.</summary>
    Arguments,

    /// <summary>An option that must be present.</summary>
    Option,

    /// <summary>A service.</summary>
    Service,

    /// <summary>The payload, read by a format.</summary>
    Payload,

    /// <summary>A service if its type is registered, otherwise the payload.</summary>
    PayloadOrService,
}
