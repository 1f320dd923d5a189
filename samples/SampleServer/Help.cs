namespace Samples;

/// <summary>The help text of a sample program.</summary>
internal static class Help
{
    /// <summary>Prints the text if the arguments contain --help or -h. The program then ends.</summary>
    /// <returns>Whether it was printed.</returns>
    public static bool IsShown(string[] args, string text)
    {
        if (!args.Contains("--help") && !args.Contains("-h")) { return false; }
        Console.WriteLine(text);
        return true;
    }
}
