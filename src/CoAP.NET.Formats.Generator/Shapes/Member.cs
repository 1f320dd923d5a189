namespace CoAP.Formats.Generation.Shapes;

/// <summary>A property of an object.</summary>
/// <param name="Name">The name in error messages.</param>
/// <param name="Access">The name in source, with "@" if it is a keyword.</param>
/// <param name="Key">The key in the map.</param>
/// <param name="Shape">How the value is written and read.</param>
internal sealed record Member(string Name, string Access, MemberKey Key, Shape Shape)
{
    /// <summary>How the value gets into the object.</summary>
    public MemberRole Role { get; set; }

    /// <summary>Whether it is an error if the key is missing.</summary>
    public bool IsRequired { get; set; }

    /// <summary>Whether null is left out when an object is written.</summary>
    public bool OmitsNull { get; set; }

    /// <summary>Whether the default value is left out when an object is written.</summary>
    public bool OmitsDefault { get; set; }

    /// <summary>Whether the member may be left out.</summary>
    public bool IsOmittable => OmitsDefault || (OmitsNull && !Shape.IsValue);

    /// <summary>The value if the key is missing and a constructor needs one.</summary>
    public string Default { get; set; } = "default!";
}
