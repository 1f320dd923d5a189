namespace CoAP.Accounting;

/// <summary>The outcome of a charge.</summary>
internal enum Charge
{
    /// <summary>The account was charged.</summary>
    Accepted,

    /// <summary>The account was not charged, because it would exceed its share.</summary>
    OverShare,

    /// <summary>The account was not charged, because too little is free.</summary>
    Full,
}
