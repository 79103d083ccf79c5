// Eliminates, and then makes at most one of the free moves, instead of trying all sets of them.
#include <iostream>
#include <string>

int main() {
	std::string board[4], pattern[3];
	for (auto &row : board) std::cin >> row;
	for (auto &row : pattern) std::cin >> row;
	int best = 17;
	for (char goal : {'W', 'B'}) {
		unsigned rows[16]; // bit j: the move at j flips this cell; bit 16: it must be flipped
		for (int cell = 0; cell < 16; cell++) {
			rows[cell] = unsigned(board[cell / 4][cell % 4] != goal) << 16;
			for (int move = 0; move < 16; move++) {
				int down = cell / 4 - move / 4 + 1, right = cell % 4 - move % 4 + 1;
				if (down >= 0 && down < 3 && right >= 0 && right < 3 && pattern[down][right] == '1') rows[cell] |= 1u << move;
			}
		}
		int rank = 0;
		bool is_free[16] = {};
		for (int move = 0; move < 16; move++) {
			int r = rank;
			while (r < 16 && !(rows[r] >> move & 1)) r++;
			if (r == 16) {
				is_free[move] = true;
				continue;
			}
			std::swap(rows[r], rows[rank]);
			for (int other = 0; other < 16; other++)
				if (other != rank && rows[other] >> move & 1) rows[other] ^= rows[rank];
			rank++;
		}
		bool possible = true;
		for (int r = rank; r < 16; r++) possible = possible && !(rows[r] >> 16);
		for (int made = -1; possible && made < 16; made++) {
			if (made >= 0 && !is_free[made]) continue;
			int moves = made >= 0;
			for (int r = 0; r < rank; r++) moves += (rows[r] >> 16 ^ (made >= 0 ? rows[r] >> made : 0)) & 1;
			best = std::min(best, moves);
		}
	}
	if (best > 16) std::cout << "Impossible\n";
	else std::cout << best << "\n";
}
