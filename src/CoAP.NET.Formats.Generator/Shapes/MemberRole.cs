namespace CoAP.Formats.Generation.Shapes;

/// <summary>How the value of a member gets into an object.</summary>
internal enum MemberRole
{
    /// <summary>Not at all: the member is written but skipped when reading.</summary>
    ReadOnly,

    /// <summary>By a parameter of the constructor.</summary>
    Argument,

    /// <summary>By an object initializer, always.</summary>
    Required,

    /// <summary>By an object initializer, if the key is there.</summary>
    Init,

    /// <summary>By its setter, if the key is there.</summary>
    Settable,
}
