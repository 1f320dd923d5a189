namespace CoAP.Hosting.Generation.Calls;

/// <summary>What a handler returns, apart from its task.</summary>
internal enum ResultForm
{
    /// <summary>Nothing.</summary>
    Nothing,

    /// <summary>A response.</summary>
    Response,

    /// <summary>A value for a format.</summary>
    Value,

    /// <summary>A nullable value type.</summary>
    NullableValue,
}
