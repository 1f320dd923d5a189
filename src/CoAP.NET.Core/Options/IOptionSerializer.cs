namespace CoAP.Options;

/// <summary>Writes the value of one option.</summary>
public interface IOptionSerializer
{
    /// <summary>The length of the option's value in bytes.</summary>
    int GetLength(CoapOption option);

    /// <summary>Writes the value to the start of <paramref name="destination"/>, which holds at least <see cref="GetLength"/> bytes.</summary>
    void Write(CoapOption option, Span<byte> destination);
}
