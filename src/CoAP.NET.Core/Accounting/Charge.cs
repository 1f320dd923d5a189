namespace CoAP.Accounting;

/// <summary>The outcome of a charge.</summary>
internal enum Charge
{
    /// <summary>The account is charged.</summary>
    Accepted,

    /// <summary>The account holds its share.</summary>
    OverShare,

    /// <summary>Nothing is free.</summary>
    Full,
}
