namespace CoAP.Hosting.Generation.Calls;

/// <summary>A parameter of a handler.</summary>
internal sealed record HandlerParameter(string Name, ParameterSource Source, string Type)
{
    /// <summary>The name of the placeholder, the query argument or nothing.</summary>
    public string Key { get; init; } = "";

    /// <summary>The type of the value that is parsed or read, without its nullability.</summary>
    public string ValueType { get; init; } = "";

    /// <summary>The name of the type in messages to a client.</summary>
    public string DisplayType { get; init; } = "";

    /// <summary>The part of the request with the argument: a member of ArgumentSource.</summary>
    public string Place { get; init; } = "";

    /// <summary>The method that parses the argument.</summary>
    public string Parser { get; init; } = "";

    /// <summary>The value of an absent argument; <see langword="null"/> if it must be present.</summary>
    public string? Default { get; init; }

    /// <summary>The expression that makes the value from the request.</summary>
    public string Expression { get; init; } = "";
}
