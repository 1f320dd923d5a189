namespace CoAP.Discovery;

/// <summary>An attribute of a link, such as rt="temperature" (RFC 6690, section 2).</summary>
/// <param name="Name">The name, which is case-sensitive.</param>
/// <param name="Value">The value without quotes, or <see langword="null"/> if the attribute is a flag such as "obs".</param>
public readonly record struct LinkAttribute(string Name, string? Value = null)
{
    /// <summary>Returns the attribute in the link format.</summary>
    public override string ToString() => LinkWriter.Append(new(), this).ToString();
}
