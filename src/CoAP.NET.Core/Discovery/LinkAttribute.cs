namespace CoAP.Discovery;

/// <summary>An attribute of a link, such as rt="temperature" (RFC 6690, section 2).</summary>
/// <param name="Name">The name; "rt" is not "RT".</param>
/// <param name="Value">The value without its quotes; <see langword="null"/> where the attribute is a flag, such as "obs".</param>
public readonly record struct LinkAttribute(string Name, string? Value = null)
{
    /// <summary>The attribute as the link format writes it.</summary>
    public override string ToString() => LinkWriter.Append(new(), this).ToString();
}
