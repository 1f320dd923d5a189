namespace CoAP.Fuzzing.Engine;

/// <summary>A part of the library that gets bytes of strangers, and the rules that hold whatever the bytes are.</summary>
/// <param name="name">The name of its folders below Corpus and Regressions.</param>
internal abstract class FuzzTarget(string name)
{
    public string Name => name;

    /// <summary>The number of inputs that are tried even if the time is over.</summary>
    public virtual int LeastInputs => 2000;

    /// <summary>The most bytes of an input.</summary>
    public virtual int MaxLength => 4096;

    /// <summary>Bytes that mean something to the target.</summary>
    public virtual IReadOnlyList<byte[]> Dictionary => [];

    /// <summary>Gives an input to the target.</summary>
    /// <exception cref="Exception">A rule is broken. Every exception counts as a failure.</exception>
    public abstract void Run(FuzzInput input, Trace trace);

    public override string ToString() => name;
}
